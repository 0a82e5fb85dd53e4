package import Foundation

/// Where the live service keeps what was done in its sessions.
///
/// Calls may block; they are made on threads of their own.
package protocol LiveHistory: Sendable {
  /// Begins a record, of a profile if there is one of that id.
  func begin(model: String?, profile: Int?, at date: Date) throws -> Int

  /// The profile of an id; `nil` where there is none.
  func profile(_ id: Int) throws -> Profile?

  /// Replaces what a record holds; throws ``ServerError`` with the code `notFound` where the record
  /// was deleted meanwhile.
  func save(
    _ id: Int, duration: TimeInterval, model: String?, entries: [SummaryEntry],
    timeline: [Stretch], sets: [TrainedSet]
  ) throws

  /// Closes a record; an empty one may be removed.
  func end(_ id: Int) throws

  /// Notes the video of a record, a file's name in the folder of recordings.
  func setRecording(_ file: String, of id: Int) throws
}

extension History: LiveHistory {}
