import Foundation
import KinemaAction
package import KinemaPose

/// Examples at the target frame rate, cut into windows.
package struct TrainingWindows: Sendable {
  /// The poses of an example at the target frame rate.
  package struct Clip: Sendable {
    let label: Int
    /// `[frames, 3, joints]` values, as ``Pose/multiArray(of:)``.
    package let values: [Float]
    package let frameCount: Int
    /// Width by height of the picture; 1 where it is not known.
    var aspectRatio: Float = 1
    /// The number of its video or person, where examples may share one.
    var group: Int?

    package init(label: Int, values: [Float], frameCount: Int) {
      self.label = label
      self.values = values
      self.frameCount = frameCount
    }
  }

  struct Window: Sendable {
    let clip: Int
    /// The first frame in the clip.
    let start: Int
  }

  let windowSize: Int
  let frameRate: Double
  let joints: [JointKey]
  private(set) var clips: [Clip]
  /// Whether the data name at least two people for each label.
  private(set) var hasPeople = false
  private(set) var windows: [Window] = []

  /// - Parameter labels: The allowed labels; a label's position is its index.
  init(
    _ examples: [ActionExample], labels: [String], joints: [JointKey],
    parameters: ActionClassifierParameters
  ) throws {
    windowSize = parameters.predictionWindowSize
    frameRate = parameters.targetFrameRate
    self.joints = joints
    let indices = Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($1, $0) })
    let groups = Dictionary(examples.enumerated().map { ($1.group, $0) }) { first, _ in first }
    clips = try examples.map { example in
      guard let label = indices[example.label] else {
        throw TrainingError(
          .badData,
          MessageText("unknownLabel", ["file": example.file, "label": example.label]))
      }
      guard example.poses.joints == joints else {
        throw TrainingError(
          .badData,
          "“\(example.file)” has poses of \(example.poses.joints.count) joints where other files "
            + "have \(joints.count); train bodies and hands separately.",
          text: MessageText("otherJoints", ["file": example.file]))
      }
      var clip = Clip(example, label: label, frameRate: parameters.targetFrameRate)
      clip.group = groups[example.group]
      return clip
    }
    let byLabel = Dictionary(grouping: examples, by: \.label)
    hasPeople = byLabel.values.allSatisfy { Set($0.compactMap(\.person)).count >= 2 }
    cut(parameters)
  }

  /// - Parameter clips: Clips at the target frame rate.
  package init(clips: [Clip], joints: [JointKey], parameters: ActionClassifierParameters) {
    windowSize = parameters.predictionWindowSize
    frameRate = parameters.targetFrameRate
    self.joints = joints
    self.clips = clips
    cut(parameters)
  }

  private mutating func cut(_ parameters: ActionClassifierParameters) {
    for (index, clip) in clips.enumerated() {
      windows += starts(in: clip, parameters).map { Window(clip: index, start: $0) }
    }
  }

  /// Repeats the windows of each class with fewer than `count`, which augmentation varies.
  mutating func repeatWindows(to count: Int) {
    let groups = Dictionary(grouping: windows) { label(of: $0) }
    for label in groups.keys.sorted() {
      guard let group = groups[label], group.count < count else { continue }
      windows += (group.count..<count).map { group[$0 % group.count] }
    }
  }

  /// Adds the clips and windows of others.
  mutating func add(_ other: TrainingWindows) {
    windows += other.windows.map { Window(clip: clips.count + $0.clip, start: $0.start) }
    clips += other.clips
  }

  var frameSize: Int { 3 * joints.count }

  func label(of window: Window) -> Int { clips[window.clip].label }

  /// `[windowSize, 3, joints]` values; frames after the end of the clip are empty.
  func values(of window: Window) -> [Float] {
    let clip = clips[window.clip]
    let end = min(clip.frameCount, window.start + windowSize)
    var values = Array(clip.values[(window.start * frameSize)..<(end * frameSize)])
    values += repeatElement(0, count: windowSize * frameSize - values.count)
    return values
  }

  func add(to fingerprint: inout Fingerprint) {
    fingerprint.add(joints.count)
    for clip in clips {
      fingerprint.add(clip.label)
      fingerprint.add(clip.values)
    }
  }

  /// All windows; `nil` without one.
  var batch: TrainingBatch? {
    guard !windows.isEmpty else { return nil }
    return TrainingBatch(
      windows: windows.flatMap { values(of: $0) }, labels: windows.map { label(of: $0) })
  }

  /// The starts of a clip's windows: a stride apart, and one that ends with the clip, without those
  /// with too few poses.
  private func starts(in clip: Clip, _ parameters: ActionClassifierParameters) -> [Int] {
    let last = max(0, clip.frameCount - windowSize)
    var starts = Array(stride(from: 0, through: last, by: parameters.stride))
    // The rest gets a window if it is longer than a quarter of a stride.
    if let final = starts.last, (last - final) * 4 > parameters.stride { starts.append(last) }
    let needed = max(1, parameters.minimumPoseShare * Double(windowSize) - 1e-9)
    return starts.filter { start in
      let end = min(clip.frameCount, start + windowSize)
      let real = (start..<end).count { frame in
        clip.values[(frame * frameSize)..<((frame + 1) * frameSize)].contains { $0 != 0 }
      }
      return Double(real) >= needed
    }
  }
}

extension TrainingWindows.Clip {
  init(_ example: ActionExample, label: Int, frameRate: Double) {
    self.label = label
    var resampler = PoseResampler(frameRate: frameRate)
    var values: [Float] = []
    var count = 0
    for frame in example.poses.frames where frame.time.isFinite {
      for due in resampler.add(frame.poses.first, at: frame.time) {
        var pose = due.pose ?? .empty
        pose.keypoints = pose.keypoints.filter { $1.isFinite }
        values += pose.multiArray(of: example.poses.joints)
        count += 1
      }
    }
    self.values = values
    frameCount = count
    if let size = example.poses.frames.lazy.compactMap(\.size).first, size.height > 0 {
      aspectRatio = Float(size.width / size.height)
    }
  }
}

extension JointPoint {
  fileprivate var isFinite: Bool {
    position.x.isFinite && position.y.isFinite && confidence.isFinite
  }
}
