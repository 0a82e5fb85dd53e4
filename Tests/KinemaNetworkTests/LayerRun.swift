import KinemaNetwork

/// Runs one layer, or a few, as a network.
enum LayerRun {
  /// The shape and elements that a layer makes of a blob.
  static func run(
    _ layer: any Layer, on input: [Float], shape: [Int]
  ) throws -> (shape: [Int], values: [Float]) {
    let node = Node(name: "layer", layer: layer, inputs: ["x"], outputs: ["y"])
    return try run([node], on: input, shape: shape, output: "y")
  }

  /// The shape and elements of a blob of a network.
  static func run(
    _ nodes: [Node], on input: [Float], shape: [Int], output: String, joinsLayers: Bool = true
  ) throws -> (shape: [Int], values: [Float]) {
    let network = try Network(
      Graph(inputName: "x", inputShape: shape, nodes: nodes), outputs: [output],
      joinsLayers: joinsLayers)
    let workspace = Workspace(network)
    workspace.run(input)
    // A second run must not see what the first left behind.
    workspace.run(input)
    return (network.outputShapes[0].dimensions, workspace.output(0))
  }

  /// The message with which a layer refuses a blob.
  static func refusal(of layer: any Layer, shape: [Int]) -> String? {
    do {
      let node = Node(name: "layer", layer: layer, inputs: ["x"], outputs: ["y"])
      _ = try Network(Graph(inputName: "x", inputShape: shape, nodes: [node]), outputs: ["y"])
      return nil
    } catch {
      return (error as? NetworkError)?.message
    }
  }

  /// The greatest difference of two lists.
  static func difference(_ left: [Float], _ right: [Float]) -> Float {
    guard left.count == right.count else { return .infinity }
    return zip(left, right).map { abs($0 - $1) }.max() ?? 0
  }
}
