/// Which part of a file a request wants (RFC 9110 §14).
package enum ByteRange: Equatable, Sendable {
  /// A part that is there; never empty.
  case range(Range<Int>)
  /// A part that is beyond the file's end.
  case unsatisfiable
  /// Not a range of bytes, or several: the whole file is sent.
  case ignored

  package static func parse(_ text: String, size: Int) -> ByteRange {
    guard text.hasPrefix("bytes=") else { return .ignored }
    let ends = text.dropFirst(6).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return .ignored }
    let first = number(ends[0])
    let last = number(ends[1])
    switch (first, last) {
    case (let first?, _) where ends[1].isEmpty || last.map({ $0 >= first }) == true:
      guard first < size else { return .unsatisfiable }
      return .range(first..<min(size, (last ?? size - 1) + 1))
    case (nil, let count?) where ends[0].isEmpty:
      guard count > 0, size > 0 else { return .unsatisfiable }
      return .range(max(0, size - count)..<size)
    default: return .ignored
    }
  }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.count <= 15, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}
