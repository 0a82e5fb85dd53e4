import CFFmpeg
import Glibc

/// Reads a named pipe or standard input for FFmpeg without blocking.
///
/// An MP4 file with its index behind its pictures is first copied (``PipeSpool``), as it is decoded
/// from places that have gone by.
final class PipeInput {
  static let standardInput = "/proc/self/fd/0"
  private static let bufferByteCount = 32_768

  private let file: Int32
  private let interruption: InterruptCallback
  /// The first bytes, until they are passed on.
  private var head: ArraySlice<UInt8> = []
  private var spool: PipeSpool?
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  /// Whether any place of it can be read.
  var isSeekable: Bool { spool != nil }

  /// Opens the pipe, with or without a writer, and waits for its first bytes.
  ///
  /// - Throws: The end of file where its writer leaves without a byte, and what ``PipeSpool`` throws.
  init(path: String, interruption: InterruptCallback) throws(FFmpegError) {
    self.interruption = interruption
    // Opened again, a pipe would forget a writer who has left.
    file =
      path == Self.standardInput
      ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw FFmpegError(code: FFmpegError.system(errno)) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
      throw FFmpegError(code: FFmpegError.system(EINVAL))
    }
    try readHead()
    guard let buffer = av_malloc(Self.bufferByteCount) else {
      throw FFmpegError(code: FFmpegError.outOfMemory)
    }
    let seek: (@convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64)? =
      spool == nil
      ? nil
      : { argument, offset, origin in
        guard let argument else { return Int64(FFmpegError.endOfFile) }
        return Unmanaged<PipeInput>.fromOpaque(argument).takeUnretainedValue()
          .spool?.seek(to: offset, from: origin) ?? Int64(FFmpegError.endOfFile)
      }
    context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferByteCount), 0,
      Unmanaged.passUnretained(self).toOpaque(),
      { argument, target, count in
        guard let argument, let target else { return FFmpegError.endOfFile }
        return Unmanaged<PipeInput>.fromOpaque(argument).takeUnretainedValue()
          .read(into: target, count: Int(count))
      }, nil, seek)
    guard context != nil else {
      av_free(buffer)
      throw FFmpegError(code: FFmpegError.outOfMemory)
    }
  }

  deinit {
    if let context {
      av_free(context.pointee.buffer)
      avio_context_free(&self.context)
    }
    if file >= 0 { close(file) }
  }

  /// Reads as much of the beginning as says where the index is, and all of the pipe where that is needed.
  private func readHead() throws(FFmpegError) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: Self.bufferByteCount)
    while let count = BoxOrder.missingByteCount(of: bytes) {
      let got = receive(into: &chunk, count: min(count, chunk.count))
      if got == FFmpegError.endOfFile { break }
      try checked(got)
      bytes += chunk.prefix(Int(got))
    }
    guard !bytes.isEmpty else { throw FFmpegError(code: FFmpegError.endOfFile) }
    head = bytes[...]
    guard case .indexLast(let byteCount) = BoxOrder(of: bytes) else {
      // A writer may come late: the time that it was waited for is no part of the rest.
      interruption.restartDeadline()
      return
    }
    let spool = try PipeSpool(byteCount: byteCount)
    // A pipe may be slow: only silence is limited.
    interruption.setDeadline(secondsFromNow: nil)
    try spool.append(bytes[...])
    while true {
      let got = receive(into: &chunk, count: chunk.count)
      if got == FFmpegError.endOfFile { break }
      try checked(got)
      interruption.restartLimit()
      try spool.append(chunk.prefix(Int(got)))
    }
    interruption.setDeadline(secondsFromNow: MediaFile.openingSeconds)
    (self.spool, head) = (spool, [])
  }

  private func read(into target: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 {
    if let spool { return spool.read(into: target, count: count) }
    guard !head.isEmpty else { return receive(into: target, count: count) }
    let part = head.prefix(count)
    for (index, byte) in part.enumerated() { target[index] = byte }
    head = head.dropFirst(part.count)
    return Int32(part.count)
  }

  /// Waits for bytes; the end of file once there was a writer and none is left.
  private func receive(into target: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 {
    let interval: Int32 = 50
    while !interruption.isCancelled && !interruption.isPastDeadline {
      // Without a writer so far, nothing is reported.
      var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, interval) > 0 else { continue }
      let got = Glibc.read(file, target, count)
      if got > 0 { return Int32(got) }
      if got == 0 { return FFmpegError.endOfFile }
      if errno != EAGAIN && errno != EINTR { return FFmpegError.system(errno) }
    }
    return FFmpegError.exit
  }
}
