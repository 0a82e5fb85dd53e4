import Foundation
import KinemaErrors

/// The poses of another tool's file, as they stand there: in pixels or fractions, y down, in any order.
///
/// Readers add frames and people; ``poseFile(defaults:)`` makes them poses of Kinema.
struct ForeignPoses {
  struct Person {
    /// `nil` where the tool has not tracked people.
    var id: Int?
    /// x, y and confidence.
    var points: [JointKey: SIMD3<Float>] = [:]
    var side: Chirality?
  }

  struct Frame {
    /// The number of the frame in its video.
    var number: Int
    /// In seconds; `nil` where the file does not say it.
    var time: TimeInterval?
    /// Width and height in square pixels; `nil` where the file does not say it.
    var size: (width: Int, height: Int)?
    /// The places of its people among those of the file.
    fileprivate(set) var people: [Int] = []

    init(number: Int, time: TimeInterval? = nil, size: (width: Int, height: Int)? = nil) {
      (self.number, self.time, self.size) = (number, time, size)
    }
  }

  /// A question to whoever reads the file.
  enum Question: Error { case size }

  /// Those of a body or a hand; set before people are added.
  var joints = JointKey.body
  /// Whether y points up.
  var isUpright = false
  /// Whether confidences may be COCO's flags: 2 visible, 1 not visible, 0 missing.
  var mayHaveFlags = false
  /// What is to be known about what was read.
  var notes: [MessageText] = []
  private(set) var frames: [Frame] = []
  private var ids: [Int?] = []
  private var sides: [Chirality?] = []
  /// Of each person x, y and confidence of each joint; confidence 0 for a joint that is missing.
  private var values: [SIMD3<Float>] = []

  /// The confidence of a joint that a file flags as not visible: below that of a joint which is seen, as
  /// Kinema's own COCO files mean it.
  static let unseenConfidence: Float = 0.1
  /// A location further than that from the corner of the frame is in pixels: people reach out of the frame by
  /// less than its size, and are not within two pixels of its corner.
  private static let largestFraction: Float = 2
  /// Frames a second of a file without times.
  static let defaultFrameRate = 30

  var personCount: Int { ids.count }

  /// - Returns: The frame's index, for ``add(_:toFrame:)``.
  mutating func add(_ frame: Frame) throws -> Int {
    try PoseFile.check(frameCount: frames.count + 1, personCount: 0)
    frames.append(frame)
    return frames.count - 1
  }

  /// Adds a person, unless all its points are missing.
  mutating func add(_ person: Person, toFrame index: Int) throws {
    guard !person.points.isEmpty else { return }
    try PoseFile.check(poseCount: personCount + 1)
    try PoseFile.check(frameCount: 0, personCount: frames[index].people.count + 1)
    frames[index].people.append(personCount)
    ids.append(person.id)
    sides.append(person.side)
    for key in joints { values.append(person.points[key] ?? .zero) }
  }

  mutating func setSize(_ size: (width: Int, height: Int), ofFrame index: Int) {
    frames[index].size = size
  }

  /// Reads times that may be in milliseconds as such where frames are over a second apart.
  mutating func correctMilliseconds() {
    let times = frames.compactMap(\.time)
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
    guard times.count == frames.count, !steps.isEmpty, steps[steps.count / 2] > 1 else { return }
    for index in frames.indices { frames[index].time = times[index] / 1000 }
  }

  /// Gives the frames the numbers in the names of their images; their places where names have none.
  ///
  /// - Parameter names: Of each frame, without an extension, such as `img_000012` or `video_12_keypoints`.
  mutating func number(by names: [String]) {
    let numbers = names.map { name in
      let digits = name.split(separator: "/").last?.split { !$0.isASCII || !$0.isNumber }.last
      return digits.flatMap { Int($0) } ?? -1
    }
    // Names of photographs have other numbers, such as dates.
    let areFrames =
      numbers.allSatisfy((0...PoseFile.largestFrameCount).contains)
      && Set(numbers).count == numbers.count
    for index in frames.indices { frames[index].number = areFrames ? numbers[index] : index }
  }
}

// MARK: - Poses

extension ForeignPoses {
  /// The poses, normalised to the frame, y up, with a neck, oldest first.
  ///
  /// - Throws: ``Question`` where the size of the pictures is needed, ``PoseFile/Malformed``.
  func poseFile(defaults: PoseFile.Defaults) throws -> PoseFile {
    var file = PoseFile(joints: joints, defaults: defaults)
    let (isInPixels, hasFlags) = (areInPixels, mayHaveFlags && haveFlags)
    // Without tracking some tools give everybody the same number.
    let hasIDs = frames.allSatisfy { frame in
      Set(frame.people.compactMap { ids[$0] }).count == frame.people.count
    }
    let hasTimes = frames.allSatisfy { $0.time != nil }
    let rate = defaults.frameRate ?? Double(Self.defaultFrameRate)
    file.notes = notes
    if !hasTimes, defaults.frameRate == nil, frames.count > 1 {
      file.notes.append(MessageText("assumedFrameRate", ["rate": Self.defaultFrameRate]))
    }
    func time(_ frame: Frame) -> TimeInterval {
      hasTimes ? frame.time ?? 0 : Double(frame.number) / rate
    }
    for frame in frames.sorted(by: { time($0) < time($1) }) {
      let size = frame.size ?? defaults.size
      guard !isInPixels || size != nil else { throw Question.size }
      try file.append(time: time(frame), size: size.map { [$0.width, $0.height] } ?? [])
      let pixels = isInPixels ? size.map { SIMD2(Float($0.width), Float($0.height)) } : nil
      for person in frame.people {
        var pose = pose(person, scale: pixels ?? SIMD2(1, 1), hasFlags: hasFlags)
        if !hasIDs { pose.personID = nil }
        try file.append(pose)
      }
    }
    return file
  }

  private func pose(_ person: Int, scale: SIMD2<Float>, hasFlags: Bool) -> Pose {
    var pose = Pose(from: [:], confidence: 0, personID: ids[person], chirality: sides[person])
    for (key, point) in zip(joints, values[(person * joints.count)...]) where point.z > 0 {
      var place = SIMD2(point.x, point.y) / scale
      if !isUpright { place.y = 1 - place.y }
      let confidence = hasFlags ? (point.z > 1 ? 1 : Self.unseenConfidence) : min(point.z, 1)
      pose.keypoints[key] = JointPoint(key, position: place, confidence: confidence)
    }
    if pose.keypoints[.neck] == nil, let left = pose.keypoints[.leftShoulder],
      let right = pose.keypoints[.rightShoulder]
    {
      pose.keypoints[.neck] = JointPoint(
        .neck, position: (left.position + right.position) / 2,
        confidence: min(left.confidence, right.confidence))
    }
    pose.confidence = pose.keypoints.values.map(\.confidence).max() ?? 0
    return pose
  }

  private var areInPixels: Bool {
    var (pixels, fractions) = (0, 0)
    for point in values where point.z > 0 {
      let isFraction = max(abs(point.x), abs(point.y)) <= Self.largestFraction
      if isFraction { fractions += 1 } else { pixels += 1 }
    }
    return pixels > fractions
  }

  private var haveFlags: Bool {
    values.allSatisfy { [0, 1, 2].contains($0.z) } && values.contains { $0.z == 2 }
  }
}
