import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Testing

/// How frames are handed over: once, with cancellation, in little memory.
struct AsyncFramesTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The number of threads of this process.
  private var threadCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
  }

  /// How many files in the folder this process has open.
  private var openFileCount: Int {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return files.count { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/" + name)
      return target?.hasPrefix(folder.url.path) == true
    }
  }

  private func waitUntilFilesAreClosed() async throws {
    try await waitUntil(every: 0.01) { openFileCount == 0 }
  }

  @Test("frames are read once")
  func isSinglePass() async throws {
    let url = try folder.makeMovie("movie.mp4", "-pix_fmt yuv420p")
    let frames = try await VideoReader.read(contentsOf: url)
    #expect(try await frames.all().count == 12)
    let error = await expectAsyncError(VideoError.self) { _ = try await frames.all() }
    #expect(error?.code == .alreadyRead)
  }

  @Test("a reader that stops early frees the file")
  func freesAbandonedFiles() async throws {
    let url = try folder.makeMovie("movie.mp4", frameCount: 300, "-pix_fmt yuv420p")
    for stop in [0, 1, 5] {
      let frames = try await VideoReader.read(contentsOf: url)
      var count = 0
      for try await _ in frames {
        if count == stop { break }
        count += 1
      }
      #expect(count == stop)
    }
    // Opened and never read.
    _ = try await VideoReader.read(contentsOf: url)
    try await waitUntilFilesAreClosed()
    #expect(openFileCount == 0)
  }

  @Test("a cancelled task ends reading with a CancellationError")
  func stopsWhenCancelled() async throws {
    let url = try folder.makeMovie("movie.mp4", frameCount: 300, "-pix_fmt yuv420p")
    let frames = try await VideoReader.read(contentsOf: url)
    let (started, starting) = AsyncStream<Void>.makeStream()
    let task = Task {
      var count = 0
      for try await _ in frames {
        count += 1
        starting.yield()
        if count == 3 { try await Task.sleep(for: .seconds(60)) }
      }
    }
    var notices = started.makeAsyncIterator()
    for _ in 0..<3 { await notices.next() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await waitUntilFilesAreClosed()
    #expect(openFileCount == 0)
  }

  @Test("a task that is cancelled before it opens a file, or meanwhile, throws a CancellationError")
  func doesNotOpenWhenCancelled() async throws {
    let url = try folder.makeMovie("movie.mp4", frameCount: 300, "-pix_fmt yuv420p")
    let before = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await VideoReader.read(contentsOf: url).url
    }
    await #expect(throws: CancellationError.self) { try await before.value }
    let split = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await VideoSegmenter().segments(of: url)
    }
    await #expect(throws: CancellationError.self) { try await split.value }
    for milliseconds in stride(from: 0, through: 10, by: 0.25) {
      let task = Task { try await VideoReader.read(contentsOf: url).url }
      try await Task.sleep(for: .milliseconds(milliseconds))
      task.cancel()
      do { _ = try await task.value } catch { #expect(error is CancellationError, "\(error)") }
    }
  }

  @Test("several files are read side by side")
  func readsSideBySide() async throws {
    let url = try folder.makeMovie("movie.mp4", frameCount: 60, "-pix_fmt yuv420p")
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { try await VideoReader.read(contentsOf: url).all().count }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 60, count: 8))
  }

  #if compiler(>=6.2)
    @Test("three thousand frames need no more memory than three hundred, in a process of their own")
    func keepsMemoryFlat() async throws {
      let movie = try folder.makeMovie(
        "long.mp4", size: "320x240", frameCount: 3000, "-pix_fmt yuv420p -preset ultrafast")
      await #expect(processExitsWith: .success) { [path = movie.path as String] in
        func residentByteCount() -> Int {
          let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
          let pages =
            text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? .max / 8192
          return pages * sysconf(Int32(_SC_PAGESIZE))
        }
        var atStart = 0
        var most = 0
        var count = 0
        for try await _ in try await VideoReader.read(contentsOf: URL(filePath: path)) {
          count += 1
          if count == 300 { atStart = residentByteCount() }
          if count > 300 && count % 100 == 0 { most = max(most, residentByteCount()) }
        }
        if count != 3000 { exit(2) }
        // 2,700 frames would be 829 MB.
        exit(most - atStart < 50_000_000 ? 0 : 3)
      }
    }
  #endif

  @Test("frames can be stored and changed without affecting each other")
  func framesAreValues() async throws {
    let url = try folder.makeMovie("movie.mp4", "-pix_fmt yuv420p")
    let all = try await VideoReader.read(contentsOf: url).all()
    let before = all[3].feature.rgb
    var copy = all[3].feature
    copy.withUnsafeMutableBytes {
      _ = $0.initializeMemory(as: UInt8.self, repeating: 9)
    }
    #expect(all[3].feature.rgb == before)
    #expect(copy.color(x: 5, y: 5) == [9, 9, 9])
    let again = try await VideoReader.read(contentsOf: url).all()
    #expect(zip(all, again).allSatisfy { $0.feature.rgb == $1.feature.rgb })
  }
}
