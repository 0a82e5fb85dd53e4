/// Builds a graph layer by layer.
package struct GraphWriter {
  package private(set) var nodes: [Node] = []
  /// The output of the last layer.
  package private(set) var current: String

  package init(input: String) { current = input }

  /// Adds a layer that takes the current blob, or others, and gives one of its name, or several.
  package mutating func add(
    _ name: String, _ layer: any Layer, from inputs: [String]? = nil, outputs: [String]? = nil
  ) {
    let outputs = outputs ?? [name]
    nodes.append(Node(name: name, layer: layer, inputs: inputs ?? [current], outputs: outputs))
    current = outputs.last ?? current
  }

  /// Adds a split along one axis and a concatenation of the parts along another.
  mutating func rearrange(_ name: String, from axis: Int, to other: Int, sizes: [Int]) {
    let split = name + ".split"
    let parts = sizes.indices.map { "\(split)_\($0)" }
    add(split, Split(axis: axis, parts: .sizes(sizes)), outputs: parts)
    add(name + ".concat", Concatenation(axis: other), from: parts)
  }
}
