/// The name of a model's file, made safe, and the id that goes with it.
struct ModelName: Hashable, Sendable {
  /// The name for people: letters, digits, spaces, `-` and `_`; 60 characters at most.
  let name: String
  /// The name for URLs: ASCII letters, digits, `-` and `_`.
  let id: String

  private static let maximumLength = 60
  /// Leaves room in a file's name, 255 bytes, for a number and what is added while it is written.
  private static let maximumByteCount = 180

  /// Takes a file's name, which may be any text; a folder before it and `.mlmodel` after it go.
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
    // A name in another script has at most numbers left.
    let hasLetters = words.contains { $0.contains(where: \.isLetter) }
    id = ((hasLetters ? [] : ["Model"]) + words).joined(separator: "-")
  }

  /// This name or, where that is in use, the first of those with a number after it that is not.
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
