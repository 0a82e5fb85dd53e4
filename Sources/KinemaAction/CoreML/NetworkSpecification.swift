internal import KinemaNetwork

/// A neural network classifier as it stands in its file.
///
/// Field numbers are those of Apple's public `NeuralNetwork.proto`.
struct NetworkSpecification {
  private(set) var nodes: [Node] = []
  private(set) var labels: [String] = []
  /// The field numbers of the layers' kinds, in order.
  private(set) var kindFields: [Int] = []
  private(set) var weightCounts: [String: Int] = [:]
  private(set) var hasPreprocessing = false
  /// Whether the input keeps its dimensions, as specification 4 wants it.
  private(set) var keepsInputDimensions = false
  private(set) var hasIntegerLabels = false
  private var probabilityBlob = ""

  /// The greatest number of labels.
  private static let maximumLabels = 1 << 16

  /// Reads a classifier; throws ``SpecificationError`` and `NetworkError`.
  init(_ content: ArraySlice<UInt8>) throws {
    var decoder = LayerDecoder()
    var reader = WireReader(content)
    while let field = try reader.next() {
      switch field.number {
      case 1:
        let node = try decoder.node(field.message())
        guard nodes.count < NetworkLimits.nodes else {
          throw SpecificationError(
            .tooLarge, "has more than \(NetworkLimits.nodes) layers, which no classifier needs")
        }
        nodes.append(node)
      case 2: hasPreprocessing = true
      case 5: keepsInputDimensions = try field.integer() == 1
      case 100: try readTextLabels(field.message())
      case 101: try readIntegerLabels(field.message())
      case 200: probabilityBlob = try field.text()
      default: break
      }
    }
    kindFields = decoder.kindFields
    weightCounts = decoder.weights.counts
  }

  private mutating func readTextLabels(_ message: WireReader) throws {
    var reader = message
    while let field = try reader.next() {
      guard field.number == 1 else { continue }
      labels.append(try field.text())
      try checkLabelCount()
    }
  }

  private mutating func readIntegerLabels(_ message: WireReader) throws {
    hasIntegerLabels = true
    var reader = message
    while let field = try reader.next() {
      guard field.number == 1 else { continue }
      var values: [Int] = []
      try field.append(to: &values)
      labels += values.map { String($0) }
      try checkLabelCount()
    }
  }

  private func checkLabelCount() throws {
    guard labels.count <= NetworkSpecification.maximumLabels else {
      throw SpecificationError(
        .tooLarge, "has more than \(NetworkSpecification.maximumLabels) labels")
    }
  }

  /// The blob that holds the probabilities.
  var probabilitiesName: String? {
    probabilityBlob.isEmpty ? nodes.last?.outputs.first : probabilityBlob
  }

  /// The blob that a final softmax turns into the probabilities.
  var logitsName: String? {
    guard let name = probabilitiesName,
      let node = nodes.last(where: { $0.outputs.contains(name) }), node.layer is Softmax
    else { return nil }
    return node.inputs.first
  }
}
