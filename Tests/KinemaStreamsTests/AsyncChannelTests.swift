import KinemaStreams
import Testing

/// Counts from several tasks.
private actor Counter {
  private(set) var value = 0

  func increment() { value += 1 }
}

@Suite("AsyncChannel", .timeLimit(.minutes(10)))
struct AsyncChannelTests {
  @Test("everything that is sent arrives, in order")
  func order() async {
    let channel = AsyncChannel<Int>()
    async let received = channel.reduce(into: []) { $0.append($1) }
    for value in 0..<1000 { await channel.send(value) }
    channel.finish()
    #expect(await received == Array(0..<1000))
  }

  @Test("a sender waits until its value has been taken")
  func backPressure() async {
    let channel = AsyncChannel<Int>()
    let sent = Counter()
    await withTaskGroup { group in
      group.addTask {
        for value in 0..<3 {
          await channel.send(value)
          await sent.increment()
        }
        channel.finish()
      }
      var iterator = channel.makeAsyncIterator()
      for taken in 0..<3 {
        try? await Task.sleep(for: .milliseconds(20))
        #expect(await sent.value <= taken)
        #expect(await iterator.next() == taken)
      }
      #expect(await iterator.next() == nil)
    }
  }

  @Test("a sender that is cancelled stops waiting, and its value is dropped")
  func cancelledSender() async {
    let channel = AsyncChannel<String>()
    let sender = Task { await channel.send("never") }
    try? await Task.sleep(for: .milliseconds(10))
    sender.cancel()
    await sender.value
    async let received = channel.reduce(into: []) { $0.append($1) }
    await channel.send("once")
    channel.finish()
    #expect(await received == ["once"])
  }

  @Test("a reader that is cancelled gets the end, and loses nothing for others")
  func cancelledReader() async {
    let channel = AsyncChannel<Int>()
    let reader = Task { await channel.first { _ in true } }
    try? await Task.sleep(for: .milliseconds(10))
    reader.cancel()
    #expect(await reader.value == nil)
    async let received = channel.first { _ in true }
    await channel.send(7)
    #expect(await received == 7)
  }

  @Test("a finished channel lets waiting senders go")
  func finish() async {
    let channel = AsyncChannel<Int>()
    let sender = Task { await channel.send(1) }
    try? await Task.sleep(for: .milliseconds(10))
    channel.finish()
    await sender.value
    await channel.send(2)
    var iterator = channel.makeAsyncIterator()
    #expect(await iterator.next() == nil)
  }

  @Test("several senders and readers share a channel without loss")
  func manyTasks() async {
    let channel = AsyncChannel<Int>()
    let total = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 { group.addTask { await channel.reduce(0, +) } }
      await withTaskGroup { senders in
        for sender in 0..<4 {
          senders.addTask { for value in 0..<100 { await channel.send(sender * 100 + value) } }
        }
      }
      channel.finish()
      return await group.reduce(0, +)
    }
    #expect(total == 399 * 400 / 2)
  }
}
