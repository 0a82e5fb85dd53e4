import Foundation
import KinemaPose

/// Where a training stands between two steps: with the data and the parameters, all that it takes to
/// go on to the bit-identical result.
struct TrainingState: Codable {
  /// How many iterations are complete.
  var iteration = 0
  /// How many batches of the present iteration are done.
  var batch = 0
  /// The sum of the losses of the windows in these batches.
  var lossSum = 0.0
  /// How many of these windows were told right.
  var correctCount = 0
  /// What the complete iterations have led to.
  var history: [TrainingMetrics] = []
  /// The iteration with the best model so far.
  var bestIteration: Int?
  /// Whether the training has come to its end.
  var isFinished = false
  /// The time spent so far.
  var seconds: TimeInterval = 0

  /// What the best iteration has led to.
  var bestMetrics: TrainingMetrics? {
    bestIteration.flatMap { best in history.first { $0.iteration == best } }
  }
}

/// A training on disk.
///
/// The file: eight bytes `KINEMACP`, the version, then the header (JSON), the network's state and the
/// best network's state, each behind its length; at the end the ``Fingerprint`` of everything
/// before. Numbers have 64 bits, little-endian.
struct TrainingCheckpoint {
  /// What a checkpoint must fit.
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
  /// The network with all that its optimiser remembers.
  var network: [UInt8]
  /// The network of the best iteration; empty before the first one is complete.
  var bestNetwork: [UInt8]

  private static let magic = Array("KINEMACP".utf8)
  private static let version: UInt64 = 1
}

extension TrainingCheckpoint {
  /// Writes the checkpoint, whole or not at all.
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
      throw TrainingError(
        .unwritable,
        "The checkpoint “\(url.path)” cannot be written (\(error)); is there space, and is the "
          + "folder writable?", cause: error)
    }
  }

  /// Reads a checkpoint.
  ///
  /// - Throws: ``TrainingError`` where the file is damaged.
  init(contentsOf url: URL) throws {
    func damaged(_ what: String, _ cause: (any Error)? = nil) -> TrainingError {
      TrainingError(
        .badCheckpoint,
        "The checkpoint “\(url.path)” \(what); remove it, or start anew with --restart.",
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
      throw damaged("is none")
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
      let header = try JSONDecoder().decode(Header.self, from: Data(parts[0]))
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
