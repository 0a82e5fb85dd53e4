internal import KinemaNetwork

/// The network of a classifier's file.
///
/// Field numbers are those of Apple's public `NeuralNetwork.proto`.
struct NetworkSpecification {
  private(set) var nodes: [Node] = []
  private(set) var labels: [String] = []
  /// The field numbers of the layers' kinds, in order.
  private(set) var kindFields: [Int] = []
  private(set) var weightCounts: [String: Int] = [:]
  private(set) var hasPreprocessing = false
  /// Whether the input retains its dimensions, as specification 4 requires.
  private(set) var keepsInputDimensions = false
  private(set) var hasIntegerLabels = false
  private var probabilityBlob = ""

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
      case 100: try readLabels(field.message()) { [try $0.text()] }
      case 101:
        hasIntegerLabels = true
        try readLabels(field.message()) { label in
          var values: [Int] = []
          try label.append(to: &values)
          return values.map { String($0) }
        }
      case 200: probabilityBlob = try field.text()
      default: break
      }
    }
    kindFields = decoder.kindFields
    weightCounts = decoder.weights.counts
  }

  private mutating func readLabels(
    _ message: WireReader, _ texts: (WireField) throws -> [String]
  ) throws {
    var reader = message
    while let field = try reader.next() {
      guard field.number == 1 else { continue }
      labels += try texts(field)
      guard labels.count <= NetworkSpecification.maximumLabels else {
        throw SpecificationError(
          .tooLarge, "has more than \(NetworkSpecification.maximumLabels) labels")
      }
    }
  }

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
