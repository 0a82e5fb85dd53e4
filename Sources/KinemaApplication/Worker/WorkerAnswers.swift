import Foundation
import KinemaFiles
import Synchronization

/// The answers to one job: takes what its command prints.
final class WorkerAnswers: StreamReceiver {
  /// The time between two answers about progress.
  private static let progressInterval = Duration.milliseconds(100)
  /// The limit for a message, in characters.
  private static let longestMessage = 8192

  private let channel: WorkerChannel
  private let id: WorkerRequest.ID
  private let output = Mutex(Data())
  private let lastProgress = Mutex<ContinuousClock.Instant?>(nil)

  init(to id: WorkerRequest.ID, on channel: WorkerChannel) {
    self.id = id
    self.channel = channel
  }

  func take(output data: Data) { output.withLock { $0.append(data) } }

  func take(message: String) {
    let text = message.hasPrefix("kinema: ") ? message.dropFirst(8) : message[...]
    send("message", String(text.prefix(Self.longestMessage)))
  }

  func take(progress step: String, share: Double?) {
    let now = ContinuousClock.now
    let isDue = lastProgress.withLock { last in
      if let time = last, now - time < Self.progressInterval { return false }
      last = now
      return true
    }
    guard isDue else { return }
    let text = String(step.prefix(Self.longestMessage))
    send("progress", ["text": text, "share": share] as JSONObject)
  }

  /// Sends a frame: an object as bytes.
  func send(frame: Data) { send(Data(#","frame":"#.utf8) + frame) }

  /// Ends the answers with what the command has printed, an object; an empty one without.
  func finish(seconds: Double) {
    let text = output.withLock { $0 }
    let result = text.isEmpty ? Data("{}".utf8) : Self.line(of: text)
    // With anything else the line were no JSON, and its reader could not see whose it is.
    guard WorkerRequest.isObject(result) else {
      return fail(
        CommandFailure(
          .internal, "The job has printed what is no JSON object, a defect of Kinema: report it."))
    }
    send(Data(#","result":"#.utf8) + result + Data(#","seconds":\#(seconds)"#.utf8))
  }

  func fail(_ failure: CommandFailure) {
    channel.send(Self.error(failure.status, failure.message, id: id))
  }

  private func send(_ name: String, _ value: any Encodable & Sendable) {
    // Only numbers that are not finite cannot be encoded: such a progress is left out.
    guard let data = try? value.jsonText(isPretty: false) else { return }
    send(Data(",\"\(name)\":".utf8) + data.dropLast())
  }

  private func send(_ members: Data) {
    guard let id = try? id.jsonText(isPretty: false) else { return }
    channel.send(Data(#"{"id":"#.utf8) + id.dropLast() + members + Data("}\n".utf8))
  }

  /// A JSON text on one line: its strings have no line feeds, so each is white space with the
  /// indentation after it.
  private static func line(of text: Data) -> Data {
    var line = Data(capacity: text.count)
    for part in text.split(separator: UInt8(ascii: "\n")) {
      line += part.drop { $0 == UInt8(ascii: " ") }
    }
    return line
  }

  /// - Parameters:
  ///   - id: `nil` for a line without one.
  ///   - line: The number of the line, from 1.
  static func error(
    _ status: ExitStatus, _ message: String, id: WorkerRequest.ID?, line: Int? = nil
  ) -> Data {
    let error: JSONObject = [
      "status": status.rawValue, "code": "\(status)", "isPermanent": status.isPermanent,
      "message": message,
    ]
    let answer: JSONObject = [
      "id": JSONObject.orNull(id), "line": id == nil ? line : nil, "error": error,
    ]
    return (try? answer.jsonText(isPretty: false)) ?? Data()
  }
}
