/// A layer in a graph: its name and the names of its input and output blobs.
package struct Node: Sendable {
  package let name: String
  package let layer: any Layer
  package let inputs: [String]
  package let outputs: [String]

  package init(name: String, layer: any Layer, inputs: [String], outputs: [String]) {
    self.name = name
    self.layer = layer
    self.inputs = inputs
    self.outputs = outputs
  }

  /// The node in messages: `layer “conv1” (convolution)`.
  var place: String { "layer “\(name)” (\(layer.kind))" }
}

/// Layers in the order in which they run, with one input.
package struct Graph: Sendable {
  package let inputName: String
  package let inputShape: [Int]
  package let nodes: [Node]

  package init(inputName: String, inputShape: [Int], nodes: [Node]) {
    self.inputName = inputName
    self.inputShape = inputShape
    self.nodes = nodes
  }

  /// The same layers with other names, of themselves and of what they take and give.
  package func renamed(_ name: (String) -> String) -> Graph {
    Graph(
      inputName: name(inputName), inputShape: inputShape,
      nodes: nodes.map { node in
        Node(
          name: name(node.name), layer: node.layer, inputs: node.inputs.map(name),
          outputs: node.outputs.map(name))
      })
  }
}
