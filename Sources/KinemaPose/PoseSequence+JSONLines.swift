public import Foundation
import KinemaFiles

private struct Line: Encodable {
  struct Person: Encodable {
    let id: Int
    let confidence: Float
    /// Lower left corner, width, height.
    let box: [Float]
    /// x, y, confidence by joint.
    let joints: [JointKey: [Float]]
    /// `left` or `right`, for a hand.
    let hand: Chirality?
    /// x, y, z and their error in metres by joint, where they are known.
    let joints3d: [JointKey: [Float]]?
    /// x, y, z, visibility and presence by landmark.
    let landmarks: [JointKey: [Float]]?
    /// x, y, z in metres by landmark.
    let worldLandmarks: [JointKey: [Float]]?
  }

  let frame: Int
  let time: TimeInterval
  /// Width and height in square pixels.
  let size: [Int]?
  let persons: [Person]
}

extension PoseSequence.Frame {
  /// The frame as one line of JSON, without the line break.
  ///
  /// `{"frame":0,"time":0.0,"size":[1280,720],"persons":[{"id":1,"confidence":0.97,`
  /// `"box":[x,y,width,height],"joints":{"nose":[x,y,confidence],…}}]}`; hands also have
  /// `"hand":"left"` or `"hand":"right"`. Without a known ``size`` there is none.
  public func jsonLine(index: Int) -> Data { jsonLine(index: index, places: nil) }

  /// The frame as one line of JSON with places in three dimensions.
  ///
  /// - Parameter places: Of each pose x, y, z and their error by joint, where they are known; written as
  ///   `"joints3d":{"nose":[x,y,z,error],…}`.
  package func jsonLine(index: Int, places: [[JointKey: [Float]]?]?) -> Data {
    let persons = poses.enumerated().map { number, pose in
      let box = pose.boundingBox() ?? pose.boundingBox(confidenceThreshold: 0)
      let size = box.map { $0.upperRight - $0.lowerLeft }
      return Line.Person(
        id: pose.personID ?? number + 1, confidence: pose.confidence,
        box: [box?.lowerLeft.x ?? 0, box?.lowerLeft.y ?? 0, size?.x ?? 0, size?.y ?? 0],
        joints: pose.keypoints.mapValues { [$0.position.x, $0.position.y, $0.confidence] },
        hand: pose.chirality, joints3d: places.flatMap { $0[number] },
        landmarks: pose.landmarkValues { Array($0.prefix(PoseLandmark.pictureValueCount)) },
        worldLandmarks: pose.landmarkValues { Array($0.dropFirst(PoseLandmark.pictureValueCount)) })
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    // Encoding cannot fail: all values are finite numbers and strings.
    return
      (try? encoder.encode(
        Line(
          frame: index, time: time, size: pixels.map { [$0.width, $0.height] }, persons: persons)
      )) ?? Data()
  }
}

extension Pose {
  /// Some of the values of each landmark, by its name.
  fileprivate func landmarkValues(_ part: ([Float]) -> [Float]) -> [JointKey: [Float]]? {
    landmarks.map { landmarks in
      Dictionary(uniqueKeysWithValues: zip(JointKey.landmarks, landmarks.map { part($0.values) }))
    }
  }
}

extension PoseFile {
  init(linesAt url: URL, defaults: Defaults) throws {
    let data = try ForeignFormat.data(of: url)
    self.init(joints: JointKey.body, defaults: defaults)
    try data.withUnsafeBytes { bytes in
      var (rest, number) = (bytes[...], 0)
      while !rest.isEmpty {
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        rest = rest.dropFirst(line.count + 1)
        number += 1
        do {
          try append(line: UnsafeRawBufferPointer(rebasing: line))
        } catch {
          let detail = (error as? Malformed).map { ": \($0)" } ?? ""
          throw PoseError(
            .malformed,
            "Line \(number) of \(url.path) is not a frame of poses\(detail); "
              + "extract it again with kinema pose --format jsonl.",
            text: MessageText("badPoseLine", ["file": url.path, "line": number]), cause: error)
        }
      }
    }
  }

  /// Adds the frame of a line; an empty one is skipped.
  private mutating func append(line: UnsafeRawBufferPointer) throws {
    var scanner = JSONScanner(line)
    guard scanner.next() != nil else { return }
    var time: TimeInterval?
    var frame: [Pose]?
    var size: [Int] = []
    try scanner.readObject { scanner, name in
      switch name {
      case "time": time = try scanner.readDouble()
      case "size":
        if try scanner.readNull() { break }
        try scanner.readArray { scanner in
          guard size.count < 2 else { throw Malformed(description: "its size is not two numbers") }
          size.append(try scanner.readInteger())
        }
      case "persons":
        var poses: [Pose] = []
        try scanner.readArray { scanner in
          try Self.check(frameCount: 0, personCount: poses.count + 1)
          poses.append(try Self.pose(&scanner))
        }
        frame = poses
      default: try scanner.skip()
      }
    }
    guard let time, let frame, scanner.next() == nil else { throw JSONScanner.Malformed() }
    try append(time: time, size: size)
    for pose in frame {
      if joints != JointKey.hand, pose.keypoints.keys.contains(where: JointKey.hand.contains) {
        try useHands()
      }
      try append(pose)
    }
  }

  private static func pose(_ scanner: inout JSONScanner) throws -> Pose {
    var pose = Pose.empty
    var (hasJoints, hasConfidence) = (false, false)
    var places = LandmarkRows(width: PoseLandmark.pictureValueCount)
    var metres = LandmarkRows(width: PoseLandmark.valueCount - PoseLandmark.pictureValueCount)
    try scanner.readObject { scanner, name in
      switch name {
      case "id": pose.personID = try scanner.readInteger()
      case "confidence":
        pose.confidence = try scanner.readFloat()
        hasConfidence = true
      case "hand":
        if try scanner.readNull() { break }
        pose.chirality = Chirality(rawValue: try scanner.readString())
        guard pose.chirality != nil else { throw JSONScanner.Malformed() }
      case "joints":
        hasJoints = true
        try readPoints(&scanner, "joint", valueCount: 3) { key, values in
          pose.keypoints[key] = JointPoint(
            key, position: SIMD2(values[0], values[1]), confidence: values[2])
        }
      case "landmarks":
        try readPoints(&scanner, "landmark", valueCount: places.width) { places.add($0, $1) }
      case "worldLandmarks":
        try readPoints(&scanner, "landmark", valueCount: metres.width) { metres.add($0, $1) }
      default: try scanner.skip()
      }
    }
    guard hasJoints else { throw JSONScanner.Malformed() }
    if places.isWhole, metres.isWhole {
      pose.landmarks = zip(places.rows, metres.rows).map { PoseLandmark(values: ($0 + $1)[...]) }
    }
    if !hasConfidence { pose.confidence = pose.keypoints.values.map(\.confidence).max() ?? 0 }
    return pose
  }
}

/// The values of landmarks as they are read.
private struct LandmarkRows {
  let width: Int
  var rows = [[Float]](repeating: [], count: JointKey.landmarks.count)

  init(width: Int) { self.width = width }

  /// Whether every landmark was read.
  var isWhole: Bool { !rows.contains { $0.isEmpty } }

  mutating func add(_ key: JointKey, _ values: [Float]) {
    if let number = key.landmarkNumber { rows[number] = values }
  }
}

extension PoseFile {
  /// Reads an object of points, each an array of numbers.
  private static func readPoints(
    _ scanner: inout JSONScanner, _ kind: String, valueCount: Int,
    _ take: (JointKey, [Float]) -> Void
  ) throws {
    if try scanner.readNull() { return }
    try scanner.readObject { scanner, name in
      var (values, count) = ([Float](), 0)
      try scanner.readArray { scanner in
        let value = try scanner.readFloat()
        count += 1
        if count <= valueCount { values.append(value) }
      }
      guard count == valueCount else {
        throw Malformed(description: "\(kind) \(name) has \(count) values, not \(valueCount)")
      }
      take(JointKey(rawValue: name), values)
    }
  }
}

extension PoseSequence {
  func lines() -> Data {
    var data = Data()
    for (index, frame) in frames.enumerated() {
      data.append(frame.jsonLine(index: index))
      data.append(UInt8(ascii: "\n"))
    }
    return data
  }
}
