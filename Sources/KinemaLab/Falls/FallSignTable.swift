import KinemaFiles
import KinemaReport
import KinemaSynth
import KinemaWatch

/// The signs of real falls against those of synthetic ones before the cameras of rooms: what these have to
/// cover.
package struct FallSignTable: Encodable, Sendable {
  package struct Row: Encodable, Sendable {
    package let sign: String
    /// Its quantiles of 10, 50 and 90 %.
    package let real, synthetic: [Float]
  }

  package var rows: [Row] = []

  private static let syntheticCount = 400
  private static let shares: [Float] = [0.1, 0.5, 0.9]

  /// - Returns: `nil` where no clip has a fall with signs.
  init?(_ clips: [FallClip], seed: UInt64) {
    let real = clips.compactMap { $0.fallSigns() }
    guard !real.isEmpty else { return nil }
    let synthetic = (0..<Self.syntheticCount).compactMap { index in
      FallClip(FallTrial(.fall, .room, seed: seed &+ UInt64(index)), seed: seed).fallSigns()
    }
    rows = FallSigns.Sign.allCases.map { sign in
      func quantiles(_ falls: [[Float]]) -> [Float] {
        let values = falls.map { $0[sign.index] }.sorted()
        return Self.shares.map { share in
          values[Int(saturating: (Float(values.count - 1) * share).rounded())]
        }
      }
      return Row(sign: sign.rawValue, real: quantiles(real), synthetic: quantiles(synthetic))
    }
  }

  var table: String {
    var table = TextTable(
      [("sign at falls, 10 / 50 / 90 %", .left), ("real", .right), ("synthetic", .right)])
    func text(_ values: [Float]) -> String {
      values.map { Double($0).fixed(2) }.joined(separator: " / ")
    }
    for row in rows { table.add([row.sign, text(row.real), text(row.synthetic)]) }
    return table.text
  }
}
