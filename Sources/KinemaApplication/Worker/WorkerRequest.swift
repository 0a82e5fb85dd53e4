import Foundation
import Kinema
import KinemaFiles

/// A line that a worker reads: a job, or the wish to cancel one.
enum WorkerRequest: Sendable {
  /// The name of a job that its client has chosen.
  enum ID: Hashable, Codable, Sendable {
    case number(Int)
    case text(String)

    static let longestText = 256

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      }
    }
  }

  /// The value of an option of a command.
  enum Option: Codable, Sendable {
    case flag(Bool)
    case value(String)

    /// `false` and `null` are the same as leaving an option out.
    var isGiven: Bool {
      if case .flag(false) = self { return false }
      return true
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .flag(false)
      } else if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Int.self) {
        self = .value("\(number)")
      } else if let number = try? container.decode(Double.self) {
        self = .value("\(number)")
      } else {
        self = .value(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .flag(let isSet): try container.encode(isSet)
      case .value(let text): try container.encode(text)
      }
    }
  }

  /// A frame for the job `push`, as a client names it.
  struct Frame: Decodable, Sendable {
    let file: String
    var offset: Int?
    let width: Int
    let height: Int
    let format: String
    /// In seconds.
    let time: Double

    /// Where its pixels are; throws ``VideoError``, or ``UsageError`` for a format that there is not.
    var picture: RawPicture {
      get throws {
        guard let layout = RawPicture.Layout(rawValue: format) else {
          let known = RawPicture.Layout.allCases.map(\.rawValue).joined(separator: ", ")
          throw UsageError("A frame's format is one of \(known), not \(format.prefix(100)).")
        }
        return try RawPicture(
          file: file, offset: offset ?? 0, width: width, height: height, layout: layout)
      }
    }
  }

  struct Job: Sendable {
    let id: ID
    let name: String
    var input: String?
    var model: String?
    var folder: String?
    var options: [String: Option] = [:]
    /// The frames that come to it.
    let inbox = WorkerInbox()
  }

  case job(Job)
  case cancel(ID)
  /// A frame for a job.
  case push(ID, Frame)
  /// There are no more frames for a job.
  case finish(ID)

  /// Why a line is no request, with its id where it has one.
  struct Malformed: Error {
    let id: ID?
    let message: String
  }

  private struct Line: Decodable {
    static let members: Set = [
      "id", "job", "input", "model", "folder", "options", "cancel", "push", "frame", "finish",
    ]

    var id: ID?
    var job: String?
    var input: String?
    var model: String?
    var folder: String?
    var options: [String: Option]?
    var cancel: ID?
    var push: ID?
    var frame: Frame?
    var finish: ID?
  }

  private struct Names: Decodable {
    struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    let all: Set<String>

    init(from decoder: any Decoder) throws {
      all = Set(try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue))
    }
  }

  private struct Identified: Decodable {
    var id: ID
  }

  /// Whether bytes are one JSON object.
  static func isObject(_ data: Data) -> Bool {
    (try? JSONDecoder().decodeForeign(Names.self, from: data)) != nil
  }

  /// - Throws: ``Malformed``.
  init(_ data: Data) throws(Malformed) {
    let decoder = JSONDecoder()
    let id = (try? decoder.decodeForeign(Identified.self, from: data))?.id
    guard let names = try? decoder.decodeForeign(Names.self, from: data).all else {
      throw Malformed(id: nil, message: "The line is not a JSON object.")
    }
    if let other = names.subtracting(Line.members).min() {
      throw Malformed(id: id, message: "A request has no member “\(other.prefix(100))”.")
    }
    let line: Line
    do {
      line = try decoder.decodeForeign(Line.self, from: data)
    } catch {
      throw Malformed(id: id, message: Self.sentence(error))
    }
    if let cancelled = line.cancel {
      guard names.count == 1 else {
        throw Malformed(id: id, message: "A request that cancels has no other members.")
      }
      self = .cancel(cancelled)
      return
    }
    if let target = line.push {
      guard names.count == 2, let frame = line.frame else {
        throw Malformed(id: target, message: "A request that pushes has a frame, and nothing else.")
      }
      guard frame.time.isFinite else {
        throw Malformed(id: target, message: "A frame's time is a number of seconds.")
      }
      self = .push(target, frame)
      return
    }
    if let finished = line.finish {
      guard names.count == 1 else {
        throw Malformed(id: finished, message: "A request that finishes has no other members.")
      }
      self = .finish(finished)
      return
    }
    guard line.frame == nil else {
      throw Malformed(id: id, message: "A frame is pushed to a job: name it with push.")
    }
    guard let id = line.id else {
      throw Malformed(id: nil, message: "A request has an id, an integer or a string.")
    }
    if case .text(let text) = id, text.utf8.count > ID.longestText {
      throw Malformed(id: nil, message: "An id has at most \(ID.longestText) bytes.")
    }
    guard let job = line.job else {
      throw Malformed(id: id, message: "A request names a job, or the id of one to cancel.")
    }
    self = .job(
      Job(
        id: id, name: job, input: line.input, model: line.model, folder: line.folder,
        options: line.options ?? [:]))
  }

  private static func sentence(_ error: any Error) -> String {
    guard case DecodingError.typeMismatch(_, let context) = error else {
      return "The line is not a request; see docs/worker-protocol.md."
    }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return "The member “\(path.prefix(100))” has a value of the wrong type."
  }
}
