import CFFmpeg
import Glibc

/// Reads a named pipe for FFmpeg without blocking.
final class PipeInput {
  private static let bufferByteCount = 32_768

  private let file: Int32
  private let interruption: InterruptCallback
  private var hasRead = false
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  /// Opens the pipe, with or without a writer.
  init(path: String, interruption: InterruptCallback) throws(FFmpegError) {
    self.interruption = interruption
    file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw FFmpegError(code: FFmpegError.system(errno)) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
      throw FFmpegError(code: FFmpegError.system(EINVAL))
    }
    guard let buffer = av_malloc(Self.bufferByteCount) else {
      throw FFmpegError(code: FFmpegError.outOfMemory)
    }
    context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferByteCount), 0,
      Unmanaged.passUnretained(self).toOpaque(),
      { argument, target, count in
        guard let argument, let target else { return FFmpegError.endOfFile }
        return Unmanaged<PipeInput>.fromOpaque(argument).takeUnretainedValue()
          .read(into: target, count: Int(count))
      }, nil, nil)
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

  private func read(into target: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 {
    let interval: Int32 = 50
    while !interruption.isCancelled && !interruption.isPastDeadline {
      var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, interval) > 0 else { continue }
      let got = Glibc.read(file, target, count)
      if got > 0 {
        hasRead = true
        return Int32(got)
      }
      // No writer: it has closed, or not opened yet.
      if got == 0 && hasRead { return FFmpegError.endOfFile }
      if got < 0 && errno != EAGAIN && errno != EINTR { return FFmpegError.system(errno) }
      usleep(useconds_t(interval * 1000))
    }
    return FFmpegError.exit
  }
}
