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
        hand: pose.chirality, joints3d: places.flatMap { $0[number] })
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
        try scanner.readObject { scanner, name in
          var (values, count) = (SIMD4<Float>(), 0)
          try scanner.readArray { scanner in
            values[min(count, 3)] = try scanner.readFloat()
            count += 1
          }
          guard count == 3 else {
            throw Malformed(description: "joint \(name) has \(count) values, not 3")
          }
          let key = JointKey(rawValue: name)
          pose.keypoints[key] = JointPoint(
            key, position: SIMD2(values[0], values[1]), confidence: values[2])
        }
      default: try scanner.skip()
      }
    }
    guard hasJoints else { throw JSONScanner.Malformed() }
    if !hasConfidence { pose.confidence = pose.keypoints.values.map(\.confidence).max() ?? 0 }
    return pose
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
