import Foundation
import KinemaTestSupport

/// Windows with the probabilities and scores that a double-precision implementation of the same
/// model gives (`../shared/reference/mlmodel_oracle.py`).
struct GoldenFile: Decodable {
  struct Window: Decodable {
    let input: Data
    let label: String
    let margin: Double
    let labelProbabilities: [String: Double]
    let logits: [Double]

    /// The poses, row by row.
    var values: [Float] {
      input.withUnsafeBytes { raw in
        (0..<(raw.count / 4)).map {
          Float(
            bitPattern: UInt32(
              littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)))
        }
      }
    }

    private enum CodingKeys: String, CodingKey {
      case input, label, margin, labelProbabilities, logits
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      input = try container.decode(Data.self, forKey: .input)
      margin = try container.decode(Double.self, forKey: .margin)
      labelProbabilities = try container.decode([String: Double].self, forKey: .labelProbabilities)
      logits = try container.decode([Double].self, forKey: .logits)
      label = try container.decode(Label.self, forKey: .label).text
    }
  }

  /// A label, which may be a number.
  struct Label: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self.text = text
      } else {
        text = String(try container.decode(Int.self))
      }
    }
  }

  /// A blob of the first window: `[layer type, layer name, blob name, shape, mean, max |x|]`.
  struct Blob: Decodable {
    let name: String
    let shape: [Int]
    let mean: Double
    let greatest: Double

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      _ = try container.decode(String.self)
      _ = try container.decode(String.self)
      name = try container.decode(String.self)
      shape = try container.decode([Int].self)
      mean = try container.decode(Double.self)
      greatest = try container.decode(Double.self)
    }
  }

  let model: String
  let inputShape: [Int]
  let labels: [Label]
  let windows: [Window]
  let blobsOfWindow0: [Blob]

  /// All files.
  static let all: [URL] = SharedData.files(in: "golden", withExtension: "json")

  static func load(_ url: URL) throws -> GoldenFile {
    try JSONDecoder().decode(GoldenFile.self, from: Data(contentsOf: url))
  }

  var modelURL: URL { SharedData.url("models/\(model)") }
}
