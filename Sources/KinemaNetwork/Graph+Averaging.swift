extension Graph {
  /// One network that gives the mean of what several give for the same input.
  ///
  /// The mean of trainings of one recipe that differ in their seed is right more often than each of them
  /// (Hansen and Salamon, *Neural Network Ensembles*, 1990). The layers of the first keep their names, so
  /// that a training can start from them; those of the others, and all outputs, have new ones.
  ///
  /// - Parameter graphs: Networks with the same input and the same output.
  /// - Throws: ``NetworkError`` for networks whose inputs or outputs differ, and for none.
  package static func averaging(_ graphs: [Graph]) throws -> Graph {
    guard let first = graphs.first, let output = first.nodes.last?.outputs.first else {
      throw NetworkError(.unsupported, "there are no networks to average")
    }
    guard graphs.count > 1 else { return first }
    guard
      graphs.allSatisfy({
        $0.inputName == first.inputName && $0.inputShape == first.inputShape
          && $0.nodes.last?.outputs == [output]
      })
    else {
      throw NetworkError(
        .unsupported, "only networks with the same input and output can be averaged")
    }
    let members = graphs.enumerated().map { number, graph in
      graph.renamed { name in
        name == graph.inputName || (number == 0 && name != output)
          ? name : "training\(number + 1)_\(name)"
      }
    }
    let sum = "sumOfTrainings"
    let ending = [
      Node(
        name: sum, layer: Addition(), inputs: members.compactMap { $0.nodes.last?.outputs.first },
        outputs: [sum]),
      Node(
        name: output, layer: Activation(.linear(factor: 1 / Float(graphs.count), term: 0)),
        inputs: [sum], outputs: [output]),
    ]
    return Graph(
      inputName: first.inputName, inputShape: first.inputShape,
      nodes: members.flatMap(\.nodes) + ending)
  }
}
