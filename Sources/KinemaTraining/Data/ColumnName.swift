/// The name of a table's column, by its words: `Start Time (s)`, `startTime`, `START-TIME` and
/// `starttime` are spellings of one name.
struct ColumnName {
  /// Which time of a segment a column holds.
  enum Bound: Hashable { case start, end, length }

  /// What its numbers count.
  enum Unit: Int, Hashable, Comparable, CaseIterable {
    /// Seconds, also as `1:02.5`.
    case seconds
    case milliseconds, minutes, frames

    /// The length of one in seconds; `nil` for a frame.
    var seconds: Double? {
      switch self {
      case .seconds: 1
      case .milliseconds: 0.001
      case .minutes: 60
      case .frames: nil
      }
    }

    static func < (one: Unit, other: Unit) -> Bool { one.rawValue < other.rawValue }
  }

  /// What a name says of times.
  enum Meaning: Hashable {
    case noTime
    case time(Bound, Unit)
    /// A time of some kind: which one is not clear.
    case unclear
  }

  /// The words without what is between them, the same for all spellings of a name.
  let key: String
  private let words: [String]

  init(_ name: String) {
    var (words, before): ([String], Character?) = ([], nil)
    for letter in name {
      let isPart = letter.isLetter || letter.isNumber
      let continues = before.map { before in
        (before.isLetter || before.isNumber) && before.isNumber == letter.isNumber
          && !(before.isLowercase && letter.isUppercase)
      }
      if isPart {
        if continues == true, let last = words.indices.last {
          words[last] += letter.lowercased()
        } else {
          words.append(letter.lowercased())
        }
      }
      before = letter
    }
    key = words.joined()
    self.words = words.flatMap { Self.parts(of: $0[...]) ?? [$0] }
  }

  /// The unit that the name gives; seconds where it gives none.
  var unit: Unit { units.first ?? .seconds }

  /// `ss.ms` are seconds.
  private var units: [Unit] {
    words.contains("ss") ? [.seconds] : words.compactMap { Self.units[$0] }
  }

  var meaning: Meaning {
    let bounds = words.compactMap { Self.bounds[$0] }
    let units = units
    let others = words.filter { Self.bounds[$0] == nil && Self.units[$0] == nil }
    guard others.allSatisfy({ Self.isKnown($0) }) else {
      // `rep_start` is a time, `upload_time` and `body_length` are not those of a segment.
      let isOther = words.contains(where: Self.properties.contains)
      return !isOther && words.contains(where: Self.strongWords.contains) ? .unclear : .noTime
    }
    let hasNumber = others.contains(where: Self.numbers.contains)
    guard let bound = bounds.first, bounds.count == 1, Set(units).count <= 1 else {
      // The number of a segment, or of a video's frames, is none of its times.
      let isCount = words.contains("frames") || words.contains("count")
      if bounds.isEmpty, hasNumber, units.isEmpty || isCount { return .noTime }
      let isTime = !units.isEmpty || others.contains(where: Self.timeWords.contains)
      return !bounds.isEmpty || isTime ? .unclear : .noTime
    }
    let isOfFile = bound == .length && others.contains(where: Self.files.contains)
    if isOfFile { return .noTime }
    if hasNumber, units != [.frames] { return .unclear }
    if others.contains(where: { $0.first?.isNumber == true }) { return .unclear }
    return .time(bound, units.first ?? .seconds)
  }

  private static func isKnown(_ word: String) -> Bool {
    timeWords.contains(word) || fillers.contains(word) || files.contains(word)
      || numbers.contains(word) || word.allSatisfy(\.isNumber)
  }

  /// The known words that make up one without spaces, such as `startframe`.
  private static func parts(of word: Substring) -> [String]? {
    if word.isEmpty { return [] }
    if word.first == "t", bounds[String(word.dropFirst())] != nil {
      return ["t", String(word.dropFirst())]
    }
    if vocabulary.contains(String(word)) { return [String(word)] }
    for length in stride(from: word.count - 1, through: 2, by: -1) {
      let first = String(word.prefix(length))
      guard vocabulary.contains(first), let rest = parts(of: word.dropFirst(length)) else {
        continue
      }
      return [first] + rest
    }
    return nil
  }

  private static let bounds: [String: Bound] = {
    let words: [Bound: String] = [
      .start: "start starts begin begins beginning from first onset von beginn anfang début",
      .end: "end ends ending stop stops to until till last bis ende fin",
      .length: "duration dur length len dauer länge durée",
    ]
    return words.reduce(into: [:]) { bounds, entry in
      for word in entry.value.split(separator: " ") { bounds[String(word)] = entry.key }
    }
  }()

  private static let units: [String: Unit] = {
    let words: [Unit: String] = [
      .seconds: "s sec secs second seconds sek sekunde sekunden",
      .milliseconds: "ms msec msecs millis millisecond milliseconds",
      .minutes: "min mins minute minutes minuten", .frames: "frame frames fr",
    ]
    return words.reduce(into: [:]) { units, entry in
      for word in entry.value.split(separator: " ") { units[String(word)] = entry.key }
    }
  }()

  /// Words of times that say neither which nor in what.
  private static let timeWords: Set<String> = [
    "time", "times", "timestamp", "timestamps", "timecode", "tc", "t", "zeit", "offset", "interval",
    "intervals", "range", "ranges", "span", "segment", "segments", "out",
  ]
  /// Words that change nothing.
  private static let fillers: Set<String> = [
    "at", "in", "of", "the", "point", "position", "pos", "action", "event", "annotation", "label",
    "temporal", "seg", "hh", "mm", "ss",
  ]
  private static let files: Set<String> = ["video", "file", "media", "clip"]
  /// Words of numbers, which frames can have.
  private static let numbers: Set<String> = [
    "no", "nr", "num", "number", "idx", "index", "id", "n", "count",
  ]
  /// Words that make a name that of a time, whatever is beside them.
  private static let strongWords: Set<String> = [
    "start", "starts", "begin", "end", "stop", "onset", "duration",
  ]
  /// Words of names that have nothing to do with a segment's times.
  private static let properties: Set<String> = [
    "rate", "fps", "width", "height", "size", "total", "user", "date", "name",
  ]
  private static let vocabulary: Set<String> = {
    let all = Set(bounds.keys).union(units.keys).union(timeWords).union(fillers).union(files)
      .union(numbers)
    return all.filter { $0.count > 1 }
  }()
}
