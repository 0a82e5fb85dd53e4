/// A graph in ONNX's operators under construction: nodes, stored tensors, and names that are used
/// once.
struct ONNXGraph {
  private(set) var nodes: [WireWriter] = []
  private(set) var initializers: [WireWriter] = []
  private var names: Set<String> = []

  /// A name like this one that nothing has yet.
  mutating func unusedName(_ preferred: String) -> String {
    var name = preferred
    var number = 1
    while !names.insert(name).inserted {
      number += 1
      name = "\(preferred)_\(number)"
    }
    return name
  }

  /// Stores a tensor of Float32 and gives its name.
  mutating func constant(_ preferred: String, shape: [Int], _ values: [Float]) -> String {
    let name = unusedName(preferred)
    initializers.append(ONNXMessages.tensor(name, shape: shape, floats: values))
    return name
  }

  /// Stores a tensor of whole numbers and gives its name.
  mutating func constant(_ preferred: String, shape: [Int], integers: [Int]) -> String {
    let name = unusedName(preferred)
    initializers.append(ONNXMessages.tensor(name, shape: shape, integers: integers))
    return name
  }

  mutating func add(
    _ operation: String, _ inputs: [String], to outputs: [String],
    _ attributes: [(String, ONNXMessages.Attribute)] = []
  ) {
    nodes.append(
      ONNXMessages.node(
        operation, name: "\(operation)_\(nodes.count)", inputs: inputs, outputs: outputs,
        attributes: attributes))
  }

  /// Adds a node and gives the blob that it makes.
  mutating func added(
    _ operation: String, _ inputs: [String], _ preferred: String,
    _ attributes: [(String, ONNXMessages.Attribute)] = []
  ) -> String {
    let name = unusedName(preferred)
    add(operation, inputs, to: [name], attributes)
    return name
  }

  /// A blob in other dimensions; itself where they are the same.
  mutating func reshaped(_ blob: String, from shape: [Int], to target: [Int]) -> String {
    guard shape != target else { return blob }
    let name = unusedName("\(blob)_reshaped")
    reshape(blob, to: target, as: name)
    return name
  }

  /// Adds a reshape whose result has a name already.
  mutating func reshape(_ blob: String, to target: [Int], as name: String) {
    let shape = constant("\(name)_shape", shape: [target.count], integers: target)
    add("Reshape", [blob, shape], to: [name])
  }
}
