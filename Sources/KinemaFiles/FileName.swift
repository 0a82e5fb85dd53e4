/// A file's name as its bytes: two that look alike, such as “é” as one letter and as two, are two files.
package struct FileName: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: FileName, other: FileName) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  package static func < (one: FileName, other: FileName) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
