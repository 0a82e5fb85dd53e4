/// What a name of another tool says: a joint, a number of a list, or an axis of one.
///
/// `RShoulder`, `right_shoulder`, `RIGHT_SHOULDER`, `rightShoulder`, `shoulder_r` and `r_shoulder` are one
/// joint; left and right are the person's own in all tools.
enum PointName: Hashable {
  case joint(JointKey)
  case number(Int)

  enum Axis { case x, y, confidence }

  private static let parts: Set = [
    "shoulder", "elbow", "wrist", "hip", "knee", "ankle", "eye", "ear",
  ]
  private static let axes: [String: Axis] = [
    "x": .x, "y": .y, "v": .confidence, "vis": .confidence, "visibility": .confidence,
    "c": .confidence, "conf": .confidence, "confidence": .confidence, "score": .confidence,
    "likelihood": .confidence,
  ]
  private static let fillers: Set = [
    "landmark", "landmarks", "lm", "pose", "point", "kp", "keypoint",
  ]

  init?(_ name: some StringProtocol) {
    self.init(words: Self.words(of: name))
  }

  private init?(words: [String]) {
    let word = words.filter { !Self.fillers.contains($0) }.joined()
    if let number = Int(word), number >= 0 {
      self = .number(number)
    } else if let joint = Self.joint(word) {
      self = .joint(joint)
    } else {
      return nil
    }
  }

  /// A column of a table with a row a frame: `x0`, `landmark_00_x`, `NOSE_x`, `left_hip_visibility`.
  static func column(_ name: String) -> (point: PointName, axis: Axis)? {
    let words = words(of: name)
    let ends = [(words.last, words.dropLast()), (words.first, words.dropFirst())]
    for (word, rest) in ends {
      guard let axis = word.flatMap({ axes[$0] }), let point = PointName(words: Array(rest)) else {
        continue
      }
      return (point, axis)
    }
    return nil
  }

  /// The lower-case words of a name: runs of letters, and of digits.
  static func words(of name: some StringProtocol) -> [String] {
    var words: [String] = []
    var last: Character?
    for character in name {
      let isPart = character.isASCII && (character.isLetter || character.isNumber)
      defer { last = isPart ? character : nil }
      guard isPart else { continue }
      let continues =
        last.map { last in
          last.isNumber == character.isNumber && !(last.isLowercase && character.isUppercase)
        } ?? false
      if continues, !words.isEmpty {
        words[words.count - 1] += character.lowercased()
      } else {
        words.append(character.lowercased())
      }
    }
    return words
  }

  private static func joint(_ word: String) -> JointKey? {
    if word == "nose" { return .nose }
    if word == "neck" { return .neck }
    for (side, marks) in [("left", ["left", "l"]), ("right", ["right", "r"])] {
      for mark in marks {
        let rests = [
          word.hasPrefix(mark) ? word.dropFirst(mark.count) : nil,
          word.hasSuffix(mark) ? word.dropLast(mark.count) : nil,
        ]
        guard let part = rests.compactMap(\.self).first(where: { parts.contains(String($0)) })
        else {
          continue
        }
        return JointKey(rawValue: side + part.prefix(1).uppercased() + String(part.dropFirst()))
      }
    }
    return nil
  }
}
