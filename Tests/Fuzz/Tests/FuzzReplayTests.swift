import Foundation
import KinemaFuzzing
import KinemaRandom
import Testing

/// What `make fuzz` found, and a few thousand changes of the seeds, read again without a fuzzer.
@Suite("Bytes from outside")
struct FuzzReplayTests {
  private static let findings = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Findings")

  @Test("what was found once is taken or refused", arguments: FuzzTarget.allCases)
  func findings(target: FuzzTarget) throws {
    let folder = Self.findings.appending(path: target.rawValue)
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    {
      target.take(try Data(contentsOf: file))
    }
  }

  @Test("changed seeds are taken or refused", arguments: FuzzTarget.allCases)
  func changedSeeds(target: FuzzTarget) throws {
    let seeds = target.seeds
    #expect(!seeds.isEmpty)
    var random = SeededGenerator(seed: 7)
    for seed in seeds {
      target.take(seed)
      for _ in 0..<500 { target.take(Self.changed(seed, &random)) }
    }
  }

  /// Up to four bytes replaced, removed or doubled.
  private static func changed(_ seed: Data, _ random: inout SeededGenerator) -> Data {
    var bytes = [UInt8](seed)
    for _ in 0...Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(bytes[place], at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return Data(bytes)
  }
}
