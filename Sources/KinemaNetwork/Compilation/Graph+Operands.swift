extension Graph {
  /// What is known of every blob without running the network: its shape and, where they do not
  /// depend on the input, its elements.
  ///
  /// - Throws: ``NetworkError`` for a graph that cannot be run.
  package func operands() throws -> [String: Operand] {
    let analysis = try GraphAnalysis(self)
    return analysis.numbers.mapValues { analysis.blobs[$0].operand }
  }
}
