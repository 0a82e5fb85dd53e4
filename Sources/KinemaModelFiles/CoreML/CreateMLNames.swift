import Foundation
package import KinemaNetwork

extension Graph {
  /// A trained classifier with the names that its file has: Core ML's of the input and the output, and
  /// those of Create ML's action network for the layers of a graph network.
  ///
  /// - Parameter self: A network of ``KinemaNetwork/NetworkTrainer/graph(temperature:)``.
  package var namedAsCreateML: Graph {
    let blockCount = nodes.count { $0.name.hasPrefix("block") && $0.name.hasSuffix(".relu") } / 2
    var names = CreateMLNames.ends
    for index in 0..<blockCount {
      let block = CreateMLNames.block(index, isLast: index == blockCount - 1)
      for (own, name) in block { names["block\(index).\(own)"] = name }
    }
    return renamed { name in
      // The outputs of a split are numbered.
      guard let end = name.range(of: ".split_") else { return names[name] ?? name }
      let split = String(name[..<end.lowerBound]) + ".split"
      return "\(names[split] ?? split)_\(name[end.upperBound...])"
    }
  }
}

private enum CreateMLNames {
  static let ends = [
    "input": "poses", "input.transposed": "input_transpose0", "input.flat": "encode_reshape0",
    "input.expanded": "encode_expand_dims0", "input.normalization": "stgcn_action_batch_norm_1",
    "input.squeezed": "encode_squeeze0", "input.points": "encode_reshape1",
    "input.frames": "encode_transpose0", "head.mean": "decode_pooling0",
    "head.scores": "stgcn_action_conv_1", "head.flat": "decode_reshape0",
    NetworkTrainer.outputName: "labelProbabilities",
  ]

  static func block(_ index: Int, isLast: Bool) -> [String: String] {
    let isFirst = index == 0
    let block = "stgcn_action_stgcn_\(index)"
    let prefix = isFirst ? "encode" : "residual\(index)"
    return [
      "spatial.product": block + "graph_conv_conv_1", "spatial.split": prefix + "_split0",
      "spatial.concat": prefix + "_concat0",
      // The first block's transposes are numbered after that of the input.
      "spatial.swap": prefix + (isFirst ? "_transpose1" : "_transpose0"),
      "spatial.sums": block + "graph_conv_conv_2",
      "spatial.unswap": prefix + (isFirst ? "_transpose2" : "_transpose1"),
      "spatial.normalization": block + "graph_conv_tcn_batch_norm_0",
      "spatial.relu": isFirst ? "encode_activation0" : block + "graph_conv_tcn_relu_0",
      "temporal.padding": prefix + "_pad", "temporal.convolution": block + "graph_conv_tcn_conv_1",
      "temporal.normalization": block + "graph_conv_tcn_batch_norm_1",
      "residual.convolution": block + "residual_conv_1",
      "residual.normalization": block + "residual_batch_norm_1",
      "sum": prefix + "_add_broadcastable0",
      "relu": isLast ? "decode_activation0" : block + "_relu_0",
    ]
  }
}
