import Foundation
import KinemaFiles

/// The state of a training between two steps; with data and parameters it determines the result.
struct TrainingState: Codable {
  /// Number of complete epochs.
  var iteration = 0
  /// Number of complete batches in the current epoch.
  var batch = 0
  /// Sum of the losses of the windows in these batches.
  var lossSum = 0.0
  /// Number of right predictions among them.
  var correctCount = 0
  var history: [TrainingMetrics] = []
  /// The best epoch so far.
  var bestIteration: Int?
  var isFinished = false
  /// The time spent so far.
  var seconds: TimeInterval = 0

  var bestMetrics: TrainingMetrics? {
    bestIteration.flatMap { best in history.first { $0.iteration == best } }
  }
}

/// A training on disk.
///
/// Eight bytes `KINEMACP`, the version, then header (JSON), network state and best network state,
/// each after its length, and the ``Fingerprint`` of all before. Numbers are 64-bit little-endian.
struct TrainingCheckpoint {
  struct Identity: Codable, Equatable {
    /// The parameters, as JSON.
    var parameters: String
    /// A fingerprint of the windows of training and validation.
    var data: String
  }

  private struct Header: Codable {
    var identity: Identity
    var state: TrainingState
  }

  var identity: Identity
  var state: TrainingState
  var network: [UInt8]
  /// The best epoch's network; empty before the first is complete.
  var bestNetwork: [UInt8]

  private static let magic = Array("KINEMACP".utf8)
  private static let version: UInt64 = 1
}

extension TrainingCheckpoint {
  /// The parameters of the training; throws ``TrainingError`` if they cannot be read.
  func parameters() throws -> ActionClassifierParameters {
    do {
      return try JSONDecoder().decodeForeign(
        ActionClassifierParameters.self, from: Data(identity.parameters.utf8))
    } catch {
      throw TrainingError(
        .badCheckpoint, "The checkpoint has parameters of another version of Kinema; start again.",
        text: MessageText("badCheckpoint"),
        cause: error)
    }
  }

  func write(to url: URL) throws {
    var data = Data(Self.magic)
    data.append(Self.version)
    let header = try JSONEncoder().encode(Header(identity: identity, state: state))
    for part in [Array(header), network, bestNetwork] {
      data.append(UInt64(part.count))
      data.append(contentsOf: part)
    }
    var fingerprint = Fingerprint()
    data.withUnsafeBytes { fingerprint.add($0) }
    data.append(fingerprint.value)
    do {
      try WholeFile.write(data, to: url)
    } catch {
      throw TrainingError(.unwritable, reporting: error)
    }
  }

  /// Reads a checkpoint; throws ``TrainingError`` if the file is damaged.
  init(contentsOf url: URL) throws {
    func damaged(_ what: String, _ cause: (any Error)? = nil) -> TrainingError {
      TrainingError(
        .badCheckpoint,
        "The checkpoint “\(url.path)” \(what); remove it, or restart with --restart.",
        text: MessageText("badCheckpoint"),
        cause: cause)
    }
    let bytes: [UInt8]
    do {
      bytes = Array(try Data(contentsOf: url))
    } catch {
      throw damaged("cannot be read", error)
    }
    let overhead = Self.magic.count + 8
    guard bytes.starts(with: Self.magic), bytes.count >= overhead + 8 else {
      throw damaged("is not a checkpoint")
    }
    guard Self.number(in: bytes, at: Self.magic.count) == Self.version else {
      throw damaged("was written by another version of Kinema")
    }
    var fingerprint = Fingerprint()
    fingerprint.add(bytes.dropLast(8))
    guard fingerprint.value == Self.number(in: bytes, at: bytes.count - 8) else {
      throw damaged("is damaged")
    }
    var position = overhead
    var parts: [[UInt8]] = []
    for _ in 0..<3 {
      guard position + 16 <= bytes.count,
        let length = Int(exactly: Self.number(in: bytes, at: position)),
        length <= bytes.count - 16 - position
      else { throw damaged("is damaged") }
      parts.append(Array(bytes[(position + 8)..<(position + 8 + length)]))
      position += 8 + length
    }
    do {
      let header = try JSONDecoder().decodeForeign(Header.self, from: Data(parts[0]))
      (identity, state) = (header.identity, header.state)
    } catch {
      throw damaged("is damaged", error)
    }
    (network, bestNetwork) = (parts[1], parts[2])
  }

  private static func number(in bytes: [UInt8], at position: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[position + $1]) << (8 * $1) }
  }
}

extension Data {
  fileprivate mutating func append(_ number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
