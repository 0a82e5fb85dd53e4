/// Why a file is not an action classifier; the message follows the file's name: `is a pipeline …`.
struct SpecificationError: Error {
  let code: ModelFileError.Code
  let message: String

  init(_ code: ModelFileError.Code, _ message: String) {
    self.code = code
    self.message = message
  }

  static func damaged(_ what: String) -> SpecificationError {
    SpecificationError(.malformedModel, "is damaged or no model that can be read: \(what)")
  }
}
