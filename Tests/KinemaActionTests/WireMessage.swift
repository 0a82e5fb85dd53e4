/// A message in Protocol Buffers' wire format, for files that no honest writer would make.
struct WireMessage {
  var bytes: [UInt8] = []

  static func variableInteger(_ value: UInt64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    repeat {
      let byte = UInt8(rest & 0x7f)
      rest >>= 7
      bytes.append(rest == 0 ? byte : byte | 0x80)
    } while rest > 0
    return bytes
  }

  func integer(_ field: UInt64, _ value: Int) -> WireMessage {
    appending(
      WireMessage.variableInteger(field << 3)
        + WireMessage.variableInteger(UInt64(bitPattern: Int64(value))))
  }

  func data(_ field: UInt64, _ data: [UInt8], claiming length: UInt64? = nil) -> WireMessage {
    appending(
      WireMessage.variableInteger(field << 3 | 2)
        + WireMessage.variableInteger(length ?? UInt64(data.count)) + data)
  }

  func text(_ field: UInt64, _ text: String) -> WireMessage { data(field, Array(text.utf8)) }

  func message(_ field: UInt64, _ message: WireMessage) -> WireMessage {
    data(field, message.bytes)
  }

  func integers(_ field: UInt64, _ values: [Int]) -> WireMessage {
    data(field, values.flatMap { WireMessage.variableInteger(UInt64(bitPattern: Int64($0))) })
  }

  /// `WeightParams` of Float32.
  func weights(_ field: UInt64, _ values: [Float]) -> WireMessage {
    let raw = values.flatMap { value in
      withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    }
    return message(field, WireMessage().data(1, raw))
  }

  func appending(_ more: [UInt8]) -> WireMessage {
    var result = self
    result.bytes += more
    return result
  }
}

extension WireMessage {
  /// A `NeuralNetworkLayer`.
  static func layer(
    _ name: String, _ inputs: [String], _ outputs: [String], kind: UInt64,
    _ parameters: WireMessage = WireMessage()
  ) -> WireMessage {
    var layer = WireMessage().text(1, name)
    for input in inputs { layer = layer.text(2, input) }
    for output in outputs { layer = layer.text(3, output) }
    return layer.message(kind, parameters)
  }

  /// A `Model` that is a neural network classifier of poses.
  static func classifier(
    window: [Int] = [2, 3, 18], dataType: Int = 65568, layers: [WireMessage],
    labels: [String] = ["a", "b"],
    probabilities: String = "p"
  ) -> WireMessage {
    let array = WireMessage().integers(1, window).integer(2, dataType)
    let input = WireMessage().text(1, "poses").message(3, WireMessage().message(5, array))
    let vector = labels.reduce(WireMessage()) { $0.text(1, $1) }
    var network = WireMessage()
    for layer in layers { network = network.message(1, layer) }
    network = network.integer(5, 1).message(100, vector).text(200, probabilities)
    return WireMessage().integer(1, 4).message(2, WireMessage().message(1, input))
      .message(403, network)
  }

  /// The three layers of the smallest classifier: everything flat, a product, probabilities.
  static func smallestLayers(weights: [Float] = [Float](repeating: 0.01, count: 216))
    -> [WireMessage]
  {
    [
      layer("flat", ["poses"], ["f"], kind: 1140, WireMessage().integers(1, [1, 108])),
      layer(
        "product", ["f"], ["s"], kind: 140,
        WireMessage().integer(1, 108).integer(2, 2).weights(20, weights)),
      layer("softmax", ["s"], ["p"], kind: 950, WireMessage().integer(1, 1)),
    ]
  }
}
