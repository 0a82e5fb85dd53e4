/// Puts the layers of a graph behind one another.
struct GraphWriter {
  private(set) var nodes: [Node] = []
  /// The blob that the next layer takes.
  var current: String

  init(input: String) {
    current = input
  }

  /// Adds a layer behind the last one, or behind another.
  mutating func add(_ name: String, _ layer: any Layer, from inputs: [String]? = nil) {
    nodes.append(
      Node(name: name, layer: layer, inputs: inputs ?? [current], outputs: [name]))
    current = name
  }

  /// Adds a cut into parts and puts them behind one another along another axis.
  mutating func rearrange(
    _ prefix: String, number: Int, from axis: Int, to other: Int, sizes: [Int]
  ) {
    let split = "\(prefix)_split\(number)"
    let parts = sizes.indices.map { "\(split)_\($0)" }
    nodes.append(
      Node(
        name: split, layer: Split(axis: axis, parts: .sizes(sizes)), inputs: [current],
        outputs: parts))
    add("\(prefix)_concat\(number)", Concatenation(axis: other), from: parts)
  }
}
