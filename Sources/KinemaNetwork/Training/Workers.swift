internal import Dispatch
internal import Synchronization

/// Runs independent tasks on several threads, which sleep while there is nothing to do.
package struct Workers: Sendable {
  package let count: Int

  package init(count: Int) { self.count = count }

  /// Runs the tasks 0..<count, each once, in any order, and returns when all are done.
  ///
  /// `body` gets the task and the number of the worker, whose scratch memory it may use.
  package func run(_ tasks: Int, _ body: (_ task: Int, _ worker: Int) -> Void) {
    let active = min(count, tasks)
    if active <= 1 {
      MatrixProduct.useOneThread()
      for task in 0..<tasks { body(task, 0) }
      return
    }
    let next = Atomic<Int>(0)
    // Its check names this file: by a name without a folder the product is the same in any folder.
    #sourceLocation(file:"workers",line:1)
    withoutActuallyEscaping(body) { body in
      let shared = SharedBody(body: body)
      DispatchQueue.concurrentPerform(iterations: active) { worker in
        MatrixProduct.useOneThread()
        while true {
          let task = next.add(1, ordering: .relaxed).oldValue
          if task >= tasks { return }
          shared.body(task, worker)
        }
      }
    }
    #sourceLocation()
  }
}

/// Work that threads share; its tasks touch different memory.
private struct SharedBody: @unchecked Sendable {
  let body: (_ task: Int, _ worker: Int) -> Void
}
