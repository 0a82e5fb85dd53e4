/// What is wrong with a rulebook.
package struct CoachError: Error, Hashable {
  package enum Code: Sendable {
    /// The rulebook is not there, or cannot be read.
    case notFound
    /// It is not what a rulebook should be.
    case malformed
    /// It has no rules for an exercise.
    case noRules
  }

  package let code: Code
  /// What is wrong, where, and how to mend it.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
