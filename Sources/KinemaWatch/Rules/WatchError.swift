/// Why something cannot be watched, as a sentence with a remedy.
package struct WatchError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    case notFound, malformed, storage, unavailable
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

  package var description: String { message }
}
