/// The end of a product, done while its result is in the cache: y = relu(scale·x + shift +
/// residual), scale and shift per channel.
struct Epilogue: Sendable {
  var scale: [Float]?
  var shift: [Float]?
  /// Whether the kernel's last input is added.
  var addsResidual = false
  var rectifies = false

  var isEmpty: Bool { scale == nil && shift == nil && !addsResidual && !rectifies }

  /// Applies it to `channels` rows of `count` elements.
  func apply(
    to result: UnsafeMutablePointer<Float>, residual: UnsafePointer<Float>? = nil, channels: Int,
    count: Int
  ) {
    if isEmpty { return }
    for channel in 0..<channels {
      let row = result + channel * count
      let factor = scale?[channel] ?? 1
      let term = shift?[channel] ?? 0
      switch (residual.map { $0 + channel * count }, rectifies) {
      case (let other?, true):
        for index in 0..<count {
          row[index] = rectified(row[index] * factor + term + other[index])
        }
      case (let other?, false):
        for index in 0..<count { row[index] = row[index] * factor + term + other[index] }
      case (nil, true):
        for index in 0..<count { row[index] = rectified(row[index] * factor + term) }
      case (nil, false):
        for index in 0..<count { row[index] = row[index] * factor + term }
      }
    }
  }
}

/// max(x, 0); NaN stays NaN.
@inline(__always)
func rectified(_ value: Float) -> Float { value < 0 ? 0 : value }

/// A layer whose kernel can take an epilogue along; its last input is then the residual.
protocol FusibleLayer: Layer {
  func kernel(inputs: [Operand], outputs: [Shape], epilogue: Epilogue) -> Kernel
}

extension FusibleLayer {
  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    kernel(inputs: inputs, outputs: outputs, epilogue: Epilogue())
  }
}
