import Foundation

extension ForeignPoses {
  /// Reads the predictions that MMPose's inferencer and demos save: `instance_info`, a list of frames with
  /// `frame_id` and `instances`, or of the people of one picture; also such a list by itself.
  ///
  /// The points are those that `meta_info` names, else those of their number; each has x and y in pixels, and a
  /// score in a list of its own.
  mutating func readMMPose(_ data: Data) throws {
    try data.scanJSON { scanner in
      guard scanner.next() == UInt8(ascii: "{") else {
        return try readInstanceInfo(&scanner, layout: nil)
      }
      var layout: PointLayout?
      try scanner.readObject { scanner, name in
        switch name {
        case "meta_info": layout = try Self.layout(&scanner)
        case "instance_info": try readInstanceInfo(&scanner, layout: layout)
        default: try scanner.skip()
        }
      }
    }
  }

  /// The layout that the names of the points give.
  private static func layout(_ scanner: inout JSONScanner) throws -> PointLayout? {
    var names: [Int: String] = [:]
    try scanner.readObject { scanner, name in
      guard name == "keypoint_id2name", scanner.next() == UInt8(ascii: "{") else {
        return try scanner.skip()
      }
      try scanner.readObject { scanner, number in
        guard let index = Int(number), (0..<Person.largestPointCount).contains(index) else {
          return try scanner.skip()
        }
        names[index] = try scanner.readString()
      }
    }
    guard let last = names.keys.max() else { return nil }
    let joints = (0...last).map { index -> JointKey? in
      guard case .joint(let joint)? = names[index].flatMap({ PointName($0) }) else { return nil }
      return joint
    }
    return PointLayout(joints: joints)
  }

  /// A list of frames, or of the people of one picture.
  private mutating func readInstanceInfo(
    _ scanner: inout JSONScanner, layout: PointLayout?
  ) throws {
    var picture: Int?
    try scanner.readArray { scanner in
      var number: Int?
      var people: [Person] = []
      var instance = Instance()
      try scanner.readObject { scanner, name in
        switch name {
        case "frame_id": number = try scanner.readInteger()
        case "instances":
          try scanner.readArray { scanner in
            var instance = Instance()
            try scanner.readObject { try instance.read(&$0, $1) }
            people += try [instance.person(layout)].compactMap { $0 }
          }
        default: try instance.read(&scanner, name)
        }
      }
      if let number {
        // They count frames from 1.
        let index = try add(Frame(number: max(0, number - 1)))
        for person in people { try add(person, toFrame: index) }
      } else if let person = try instance.person(layout) {
        let index = try picture ?? add(Frame(number: 0))
        picture = index
        try add(person, toFrame: index)
      }
    }
  }

  /// A person as MMPose writes one.
  private struct Instance {
    private var points: [Float]?
    private var scores: [Float] = []
    private var id: Int?

    mutating func read(_ scanner: inout JSONScanner, _ name: String) throws {
      switch name {
      case "keypoints": points = try scanner.readNumbers(limit: 3 * Person.largestPointCount)
      case "keypoint_scores": scores = try scanner.readNumbers(limit: Person.largestPointCount)
      case "track_id", "instance_id": id = try scanner.readID()
      default: try scanner.skip()
      }
    }

    func person(_ layout: PointLayout?) throws -> Person? {
      guard let points else { return nil }
      guard points.count == 2 * scores.count else {
        throw PoseFile.Malformed(
          description: "a person has \(points.count) coordinates and \(scores.count) scores")
      }
      let values = scores.indices.flatMap { [points[2 * $0], points[2 * $0 + 1], scores[$0]] }
      return try Person(values, layout: layout, id: id)
    }
  }
}
