import Foundation

extension ForeignPoses {
  /// Kinect's joints in the order of NTU RGB+D; the head is its middle, no nose.
  private static let kinect: [JointKey?] = [
    nil, nil, .neck, nil, .leftShoulder, .leftElbow, .leftWrist, nil, .rightShoulder, .rightElbow,
    .rightWrist, nil, .leftHip, .leftKnee, .leftAnkle, nil, .rightHip, .rightKnee, .rightAnkle,
  ]
  private static let kinectSize = (width: 1920, height: 1080)
  private static let kinectFrameRate = 30.0

  /// Whether a file begins as a `.skeleton` of NTU RGB+D: the number of frames, that of people, ten values of the
  /// first one, 25 joints of twelve values each.
  static func isKinect(head: Data) -> Bool {
    let lines = head.prefix(1 << 12).split(separator: 10, maxSplits: 6).map { line in
      line.split { [9, 13, 32].contains($0) }
    }
    guard let first = lines.firstIndex(where: { $0.count == 10 }), first > 1,
      lines.count > first + 2
    else { return false }
    return lines[..<first].allSatisfy { $0.count == 1 }
      && lines[first + 1].map(Array.init) == [Array("25".utf8)]
      && lines[first + 2].count == 12
  }

  /// Reads a `.skeleton` of NTU RGB+D (github.com/shahroudy/NTURGB-D): where Kinect's joints are in its colour
  /// pictures of 1920 by 1080 pixels, 30 a second.
  mutating func readKinect(_ data: Data) throws {
    var rows = NumberLines(data)
    let frameCount = try rows.count(upTo: PoseFile.largestFrameCount)
    for number in 0..<frameCount {
      let frame = try add(
        Frame(
          number: number, time: Double(number) / Self.kinectFrameRate, size: Self.kinectSize))
      for _ in 0..<(try rows.count(upTo: PoseFile.largestPersonCount)) {
        let ids = try rows.next(valueCount: 10)
        // Ids have 17 digits, of which the last ones tell people apart.
        var person = Person(id: Int(ids[0].suffix(9)))
        for joint in 0..<(try rows.count(upTo: Person.largestPointCount)) {
          let values = try rows.next(valueCount: 12)
          guard joint < Self.kinect.count, let key = Self.kinect[joint],
            let x = Float(values[5]), let y = Float(values[6]), let state = Float(values[11]),
            x.isFinite, y.isFinite, state > 0
          else { continue }
          // 2 is tracked, 1 inferred.
          person.points[key] = SIMD3(x, y, state > 1 ? 1 : Self.unseenConfidence)
        }
        try add(person, toFrame: frame)
      }
    }
  }
}

/// The lines of a text of numbers, one after the other.
private struct NumberLines {
  private var rest: Data.SubSequence
  private var number = 0

  init(_ data: Data) { rest = data[...] }

  /// The values of the next line.
  mutating func next(valueCount: Int) throws -> [Substring] {
    let line = rest.prefix { $0 != 10 }
    rest = rest.dropFirst(line.count + 1)
    number += 1
    let values = line.count > 1000 ? [] : line.split { [9, 13, 32].contains($0) }
    guard values.count == valueCount else {
      throw PoseFile.Malformed(
        description: "line \(number) has not the \(valueCount) values that belong there")
    }
    return values.map { Substring(decoding: $0, as: UTF8.self) }
  }

  mutating func count(upTo limit: Int) throws -> Int {
    guard let count = Int(try next(valueCount: 1)[0]), (0...limit).contains(count) else {
      throw PoseFile.Malformed(description: "line \(number) is not a number up to \(limit)")
    }
    return count
  }
}
