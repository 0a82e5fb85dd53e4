struct ModelName: Hashable, Sendable {
  /// The name for display: letters, digits, spaces, `-` and `_`; at most 60 characters.
  let name: String
  /// The id for URLs: ASCII letters, digits, `-` and `_`.
  let id: String

  private static let maximumLength = 60
  /// Leaves room within 255 bytes for a number and a temporary suffix.
  private static let maximumByteCount = 180

  /// Sanitises any text as a file name, without folder and `.mlmodel`.
  init(fileName: String) {
    var text = fileName.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    for suffix in [".mlmodel", ".mlpackage"] where text.lowercased().hasSuffix(suffix) {
      text = String(text.dropLast(suffix.count))
    }
    let safe = text.unicodeScalars.map { scalar -> Character in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
        || scalar == "-" ? Character(scalar) : " "
    }
    let words = String(safe).split(separator: " ").joined(separator: " ")
    var name = String(words.prefix(Self.maximumLength))
    while name.utf8.count > Self.maximumByteCount || name.last == " " { name.removeLast() }
    self.init(name: name.isEmpty ? "Model" : name)
  }

  private init(name: String) {
    self.name = name
    let words = name.split { character in
      !(character.isASCII && (character.isLetter || character.isNumber))
        && character != "_" && character != "-"
    }
    // A name in another script may have only numbers left.
    let hasLetters = words.contains { $0.contains(where: \.isLetter) }
    id = ((hasLetters ? [] : ["Model"]) + words).joined(separator: "-")
  }

  /// This name, or the first unused one with a number.
  func unused(isUsed: (ModelName) -> Bool) -> ModelName {
    var candidate = self
    var number = 1
    while isUsed(candidate) {
      number += 1
      candidate = ModelName(name: "\(name) \(number)")
    }
    return candidate
  }
}
