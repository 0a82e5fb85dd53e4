/// The limits of a network, so that a hostile file costs bounded memory and time.
///
/// A classifier of body actions for 600 frames (five seconds at 120 fps) has 117 layers, 1.03 million
/// parameters, 2 million elements in its widest blob and needs 4 units of work.
package enum NetworkLimits {
  package static let nodes = 4096
  /// Inputs or outputs of one layer.
  package static let blobsPerNode = 256
  /// Weights in all: sixteen times those of a classifier.
  package static let parameters = 1 << 24
  /// Elements of all blobs that live at one time, in Float32: 128 MiB.
  package static let liveElements = 1 << 25
  /// Work of one run, in thousand million multiply-adds of a matrix product.
  package static let work = 60.0
}

/// The cost of work other than matrix products, in multiply-adds of those.
enum WorkWeight {
  /// One element read, changed and written.
  static let element = 32.0
  /// One multiply-add outside of a matrix product.
  static let multiplyAdd = 8.0
}

/// The product of sizes from a file; throws ``NetworkError`` on overflow and below zero.
package func checkedProduct(_ factors: [Int], of what: String) throws -> Int {
  var product = 1
  for factor in factors {
    let (next, overflow) = product.multipliedReportingOverflow(by: factor)
    guard !overflow, factor >= 0, next <= 1 << 40 else {
      throw NetworkError(.parameters, "has an impossible number of \(what)")
    }
    product = next
  }
  return product
}

/// Throws ``NetworkError`` unless the weights have this shape and a bias its first dimension.
func checkWeights(_ weights: [Float], _ bias: [Float]?, _ shape: [Int]) throws {
  let count = try checkedProduct(shape, of: "weights")
  guard weights.count == count else {
    throw NetworkError(.parameters, "has \(weights.count) weights instead of \(count)")
  }
  if let bias, bias.count != shape[0] {
    throw NetworkError(.parameters, "has \(bias.count) biases instead of \(shape[0])")
  }
}
