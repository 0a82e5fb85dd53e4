import CFFmpeg
import Glibc
import Synchronization

/// Collects FFmpeg's log instead of printing it to standard error.
enum FFmpegLog {
  /// The last error of each listening thread.
  private static let lastErrors = Mutex<[UInt: String]>([:])

  /// Installs the log callback once per process.
  private static let installation: Void = kinema_log_errors_to { line in
    guard let line else { return }
    FFmpegLog.record(line)
  }

  /// Prevents FFmpeg from printing to standard error.
  static func silence() { _ = installation }

  /// Runs `body` and returns its result with the last error that FFmpeg logged on this thread.
  static func collectingErrors<R>(_ body: () -> R) -> (result: R, lastError: String?) {
    startListening()
    let result = body()
    return (result, stopListening())
  }

  /// Starts recording this thread's last error.
  static func startListening() {
    silence()
    let thread = UInt(pthread_self())
    lastErrors.withLock { $0[thread] = "" }
  }

  /// The last error since ``startListening()`` on this thread, if any.
  static func stopListening() -> String? {
    let thread = UInt(pthread_self())
    let line = lastErrors.withLock { $0.removeValue(forKey: thread) }
    return line.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func record(_ line: UnsafePointer<CChar>) {
    let thread = UInt(pthread_self())
    lastErrors.withLock { errors in
      guard errors[thread] != nil else { return }
      errors[thread] = String(cString: line)
        .split(whereSeparator: \.isNewline).first.map(String.init)
    }
  }
}
