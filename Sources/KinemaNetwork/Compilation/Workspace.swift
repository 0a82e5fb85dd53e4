/// The memory of one run of a network; runs allocate nothing.
///
/// A workspace serves one thread at a time. Threads that predict in parallel take one each: they
/// share the weights.
package final class Workspace: @unchecked Sendable {
  private let network: Network
  private let arena: FloatMemory
  private let steps: [(kernel: Kernel, blobs: KernelBlobs)]

  package convenience init(_ network: Network) {
    self.init(network, in: FloatMemory(network.arenaCount))
  }

  /// Takes memory of at least the network's size, whatever it holds.
  package init(_ network: Network, in arena: FloatMemory) {
    precondition(arena.count >= network.arenaCount, "a network is larger than its memory")
    self.network = network
    self.arena = arena
    let start = arena.pointer
    steps = network.steps.map { step in
      (
        step.kernel,
        KernelBlobs(
          inputs: step.inputs.map { UnsafePointer(start + $0) },
          outputs: step.outputs.map { start + $0 }, scratch: start + network.scratchOffset)
      )
    }
    for (offset, values) in network.constants {
      (start + offset).update(from: values, count: values.count)
    }
  }

  /// Runs the network on as many elements as its input has.
  package func run(_ input: [Float]) {
    precondition(
      input.count == network.inputShape.count, "the input has another number of elements")
    MatrixProduct.useOneThread()
    (arena.pointer + network.inputOffset).update(from: input, count: input.count)
    for step in steps { step.kernel.run(step.blobs) }
  }

  /// Runs only the network's matrix products, on whatever the memory holds: what a run would cost
  /// if everything else were free.
  package func runProducts() {
    MatrixProduct.useOneThread()
    for step in steps { step.kernel.products(step.blobs) }
  }

  /// An output of the last run, by its place among the network's outputs.
  package func output(_ index: Int) -> [Float] {
    Array(UnsafeBufferPointer(start: blob(index), count: network.outputShapes[index].count))
  }

  /// The memory of an output, valid as long as the workspace.
  package func blob(_ index: Int) -> UnsafeMutablePointer<Float> {
    arena.pointer + network.outputOffsets[index]
  }
}
