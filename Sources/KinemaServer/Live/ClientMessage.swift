import Foundation
import KinemaFiles

/// A text message from a client; see `docs/live-protocol.md`.
package enum ClientMessage: Sendable {
  case start(source: SourceChoice, settings: SettingsChange?, resume: String?)
  case configure(SettingsChange)
  case source(SourceChoice)
  case pin(Int?)
  case startChallenge([ChallengeItem])
  case skipChallenge
  case stopChallenge
  case new
  case report(p50: Double?, p95: Double?)
  case ping(Double?)

  /// Reads a message; throws ``ServerError`` with what is not understood.
  package init(_ text: String) throws {
    do {
      self = try JSONDecoder().decodeForeign(Self.self, from: Data(text.utf8))
    } catch let error as DecodingError {
      throw ServerError(.badRequest, Self.text(of: error), cause: error)
    }
  }

  private static func text(of error: DecodingError) -> MessageText {
    func place(_ path: [any CodingKey]) -> String {
      let names = path.map { $0.intValue.map { "\($0)" } ?? String($0.stringValue.prefix(40)) }
      return names.isEmpty ? "The message" : "“\(names.joined(separator: "."))”"
    }
    return switch error {
    case .keyNotFound(let key, let context):
      MessageText("missingMember", ["place": place(context.codingPath + [key])])
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      MessageText("wrongKind", ["place": place(context.codingPath)])
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      MessageText(
        "badMember", ["place": place(context.codingPath), "reason": context.debugDescription])
    default:
      MessageText("messageNotJSON")
    }
  }
}

package struct SourceChoice: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, Sendable {
    /// The client sends them.
    case browser
    /// They come from one of the server's own sources.
    case server
  }

  var kind: Kind
  /// Which of the server's sources; `nil` for a browser.
  var id: String?
}

extension ClientMessage: Decodable {
  private enum CodingKeys: CodingKey {
    case type, source, settings, resume, person, command, items, latency, time
  }

  private enum Kind: String, Decodable {
    case start, configure, source, pin, challenge, new, report, ping
  }

  private enum ChallengeCommand: String, Decodable {
    case start, skip, stop
  }

  private struct Latency: Decodable {
    var p50: Double?
    var p95: Double?
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func word<Word: RawRepresentable & Decodable>(
      _ key: CodingKeys, as type: Word.Type
    ) throws -> Word where Word.RawValue == String {
      let text = try values.decode(String.self, forKey: key)
      guard let word = Word(rawValue: text) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: values,
          debugDescription: "“\(text.prefix(40))” is not among those that the server knows.")
      }
      return word
    }
    switch try word(.type, as: Kind.self) {
    case .start:
      self = .start(
        source: try values.decodeIfPresent(SourceChoice.self, forKey: .source)
          ?? SourceChoice(kind: .browser),
        settings: try values.decodeIfPresent(SettingsChange.self, forKey: .settings),
        resume: try values.decodeIfPresent(String.self, forKey: .resume))
    case .configure:
      self = .configure(try values.decode(SettingsChange.self, forKey: .settings))
    case .source:
      self = .source(try values.decode(SourceChoice.self, forKey: .source))
    case .pin:
      self = .pin(try values.decode(Int?.self, forKey: .person))
    case .challenge:
      switch try word(.command, as: ChallengeCommand.self) {
      case .start:
        self = .startChallenge(try values.decode([ChallengeItem].self, forKey: .items))
      case .skip: self = .skipChallenge
      case .stop: self = .stopChallenge
      }
    case .new: self = .new
    case .report:
      let latency = try values.decodeIfPresent(Latency.self, forKey: .latency)
      self = .report(p50: latency?.p50, p95: latency?.p95)
    case .ping:
      self = .ping(try values.decodeIfPresent(Double.self, forKey: .time))
    }
  }
}
