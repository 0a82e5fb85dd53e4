/// What is done to a product's result while it is at hand: y = relu(scale·x + shift + residual),
/// scale and shift per channel.
struct Epilogue: Sendable {
  var scale: [Float]?
  var shift: [Float]?
  /// Whether the kernel's last input is added.
  var addsResidual = false
  var rectifies = false

  var isEmpty: Bool { scale == nil && shift == nil && !addsResidual && !rectifies }

  /// Applies it to `channels` rows of `count` elements.
  func apply(
    to result: UnsafeMutablePointer<Float>, residual: UnsafePointer<Float>?, channels: Int,
    count: Int
  ) {
    if isEmpty { return }
    for channel in 0..<channels {
      let row = result + channel * count
      let factor = scale.map { $0[channel] } ?? 1
      let term = shift.map { $0[channel] } ?? 0
      switch (residual, rectifies) {
      case (let residual?, true):
        let other = residual + channel * count
        for index in 0..<count {
          let value = row[index] * factor + term + other[index]
          row[index] = value < 0 ? 0 : value
        }
      case (let residual?, false):
        let other = residual + channel * count
        for index in 0..<count { row[index] = row[index] * factor + term + other[index] }
      case (nil, true):
        for index in 0..<count {
          let value = row[index] * factor + term
          row[index] = value < 0 ? 0 : value
        }
      case (nil, false):
        for index in 0..<count { row[index] = row[index] * factor + term }
      }
    }
  }
}

/// A layer whose kernel can take an epilogue along; its last input is then the residual.
protocol FusibleLayer: Layer {
  func kernel(inputs: [Operand], outputs: [Shape], epilogue: Epilogue) -> any Kernel
}

extension FusibleLayer {
  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    kernel(inputs: inputs, outputs: outputs, epilogue: Epilogue())
  }
}
