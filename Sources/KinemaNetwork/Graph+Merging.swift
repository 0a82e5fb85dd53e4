import Foundation

extension Graph {
  /// The network with the probabilities of its classes added up to those of fewer ones.
  ///
  /// A network learns many classes that are each alike in themselves more easily than few that are
  /// made of many; what it gives is the sum over the members.
  ///
  /// - Parameters:
  ///   - classes: For each output of the network the class that it belongs to, 0 to `count` - 1.
  ///   - count: How many classes there are.
  ///   - odds: By which factor each class is more frequent than in training, against the others; 1
  ///     where it is left out (Saerens, Latinne and Decaestecker, *Adjusting the Outputs of a
  ///     Classifier to New a Priori Probabilities*, 2002, eq. 2.4).
  ///   - sharpness: The power to which the network's probabilities are raised before they are added up: above
  ///     1, many members that are a little likely count less than one that is likely.
  /// - Throws: ``NetworkError`` for a network that does not end in a linear layer and a softmax, and
  ///   for classes that are not within the count.
  package func merging(
    _ classes: [Int], into count: Int, odds: [Int: Float] = [:], sharpness: Float = 1
  ) throws -> Graph {
    guard let last = nodes.last, last.layer is Softmax, let output = last.outputs.first,
      let index = nodes.lastIndex(where: { $0.outputs == last.inputs }),
      let scores = nodes[index].layer as? InnerProduct
    else {
      throw NetworkError(
        .unsupported, "only a network that ends in a linear layer and a softmax can be merged")
    }
    guard classes.count == scores.outputChannels, classes.allSatisfy((0..<count).contains) else {
      throw NetworkError(
        .parameters,
        "\(scores.outputChannels) outputs need as many classes, each from 0 to \(count - 1)")
    }
    var weights = [Float](repeating: 0, count: count * classes.count)
    for (part, label) in classes.enumerated() { weights[label * classes.count + part] = 1 }
    let bias = zip(classes, scores.bias ?? classes.map { _ in 0 }).map { label, bias in
      sharpness * bias + log(odds[label] ?? 1)
    }
    var nodes = Array(nodes.dropLast())
    nodes[index] = Node(
      name: nodes[index].name,
      layer: try InnerProduct(
        inputChannels: scores.inputChannels, outputChannels: scores.outputChannels,
        weights: scores.weights.map { sharpness * $0 }, bias: bias),
      inputs: nodes[index].inputs, outputs: nodes[index].outputs)
    let parts = "partProbabilities"
    nodes.append(Node(name: parts, layer: last.layer, inputs: last.inputs, outputs: [parts]))
    nodes.append(
      Node(
        name: output,
        layer: try InnerProduct(
          inputChannels: classes.count, outputChannels: count, weights: weights),
        inputs: [parts], outputs: [output]))
    return Graph(inputName: inputName, inputShape: inputShape, nodes: nodes)
  }
}
