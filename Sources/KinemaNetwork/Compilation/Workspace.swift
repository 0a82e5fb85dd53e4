/// The memory of one run of a network; runs allocate nothing.
///
/// A workspace serves one thread at a time. Threads that predict at once take one each: they share
/// the weights, and one is as large as the network's widest blobs.
package final class Workspace: @unchecked Sendable {
  private let network: Network
  private let arena: UnsafeMutablePointer<Float>
  private let steps: [(kernel: any Kernel, blobs: KernelBlobs)]

  /// Creates the memory for a network.
  package init(_ network: Network) {
    self.network = network
    let count = max(network.arenaCount, 1)
    let raw = UnsafeMutableRawPointer.allocate(
      byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
    let arena = raw.bindMemory(to: Float.self, capacity: count)
    arena.initialize(repeating: 0, count: count)
    self.arena = arena
    let scratch = arena + network.scratchOffset
    steps = network.steps.map { step in
      (
        step.kernel,
        KernelBlobs(
          inputs: step.inputs.map { UnsafePointer(arena + $0) },
          outputs: step.outputs.map { arena + $0 }, scratch: scratch)
      )
    }
    for (offset, values) in network.constants {
      (arena + offset).update(from: values, count: values.count)
    }
  }

  deinit {
    arena.deallocate()
  }

  /// Runs the network on as many elements as its input has.
  package func run(_ input: [Float]) {
    precondition(
      input.count == network.inputShape.count, "the input has another number of elements")
    MatrixProduct.useOneThread()
    (arena + network.inputOffset).update(from: input, count: input.count)
    for step in steps { step.kernel.run(step.blobs) }
  }

  /// Runs nothing but the network's matrix products, on whatever the memory holds: what a run would
  /// cost if everything else were free.
  package func runProducts() {
    MatrixProduct.useOneThread()
    for step in steps { step.kernel.runProducts(step.blobs) }
  }

  /// An output of the last run, by its place among the outputs asked for.
  package func output(_ index: Int) -> [Float] {
    Array(
      UnsafeBufferPointer(
        start: arena + network.outputOffsets[index], count: network.outputShapes[index].count))
  }
}
