import Foundation
import Glibc
import KinemaFiles

/// A running ``MediaChild``, which does one thing at a time; it ends with its input.
final class MediaChildProcess: @unchecked Sendable {
  /// How long a child may say nothing, in milliseconds; opening a file takes up to 20 s.
  private static let longestSilence = 120_000
  private static let pollInterval: Int32 = 100

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let descriptor: Int32
  /// Whether it answers no more, or not what it was asked.
  private(set) var isBroken = false

  init(_ executable: URL) throws(VideoError) {
    process.executableURL = executable
    process.arguments = [MediaChildren.argument]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    descriptor = output.fileHandleForReading.fileDescriptor
    do {
      try process.run()
    } catch {
      throw VideoError(.outOfResources, MessageText("noProcess", ["reason": "\(error)"]))
    }
    // The child's ends are its own: without it, reading ends. A closed one stays closed.
    for end in [input.fileHandleForReading, output.fileHandleForWriting] { try? end.close() }
    // A frame goes through in few pieces. The name of F_SETPIPE_SZ (fcntl(2)) is not imported.
    _ = fcntl(descriptor, 1031, 1 << 20)
  }

  deinit { end() }

  var isRunning: Bool { process.isRunning }
  var processIdentifier: Int32 { process.processIdentifier }

  /// Ends it, whatever it does.
  func end() {
    isBroken = true
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  func ask(_ request: MediaRequest) {
    guard let json = try? JSONEncoder().encode(request) else { return end() }
    send(json)
  }

  /// Asks for the next frame of a file that is decoded on demand.
  func ask(from time: Int) {
    send(Data("\(time)".utf8))
  }

  /// Ends a file that is decoded on demand, between two frames: it takes the next one.
  func leaveFile() {
    send(Data(MediaRequest.noMore.utf8))
  }

  private func send(_ line: Data) {
    // A child that has died takes nothing, and its answers end.
    do { try input.fileHandleForWriting.write(contentsOf: line + Data("\n".utf8)) } catch { end() }
  }

  /// The next answer, a failure being thrown; any where reading was cancelled.
  func answer(
    about file: String, _ interruption: InterruptCallback
  ) throws(VideoError) -> MediaAnswer {
    var length = UInt32(0)
    try withUnsafeMutableBytes(of: &length) { bytes throws(VideoError) in
      try read(into: bytes, about: file, interruption)
    }
    if interruption.isCancelled { return .kind(nil) }
    let count = Int(UInt32(littleEndian: length))
    guard count <= MediaAnswer.largestByteCount else { throw failure(about: file) }
    var json = Data(count: count)
    do {
      try json.withUnsafeMutableBytes { try read(into: $0, about: file, interruption) }
      if interruption.isCancelled { return .kind(nil) }
      let answer = try JSONDecoder().decodeForeign(MediaAnswer.self, from: json)
      guard case .failed(let code, let message, let text) = answer else { return answer }
      throw VideoError(code, message, text: text)
    } catch let error as VideoError {
      throw error
    } catch {
      throw failure(about: file)
    }
  }

  /// Fills memory from what the child says; less where that is cancelled.
  func read(
    into target: UnsafeMutableRawBufferPointer, about file: String,
    _ interruption: InterruptCallback
  ) throws(VideoError) {
    var rest = target[...]
    var silence = 0
    while !rest.isEmpty, !interruption.isCancelled {
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, Self.pollInterval) != 0 else {
        silence += Int(Self.pollInterval)
        guard silence < Self.longestSilence else {
          end()
          throw VideoError(.timedOut, MessageText("slowFile", ["file": file]))
        }
        continue
      }
      silence = 0
      let place = UnsafeMutableRawBufferPointer(rebasing: rest)
      let count = Glibc.read(descriptor, place.baseAddress, place.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(about: file) }
      rest = rest.dropFirst(count)
    }
  }

  /// The error for a child that has died, or answers what was not asked; it ends.
  func failure(about file: String) -> VideoError {
    end()
    process.waitUntilExit()
    let status = process.terminationStatus
    let reason = process.terminationReason == .exit ? "status \(status)" : "signal \(status)"
    return VideoError(
      .damaged, MessageText("decoderDied", ["file": file, "reason": reason]))
  }
}
