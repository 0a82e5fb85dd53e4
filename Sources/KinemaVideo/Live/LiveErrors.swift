import Glibc
import KinemaFiles

extension VideoError {
  /// A source has sent nothing for so long.
  static func silence(of source: String, _ time: Duration) -> VideoError {
    unavailable(source, MessageText("sourceSentNothing", ["time": words(time)]))
  }

  /// A source has ended before its first picture.
  static func noPicture(from source: LiveSource) -> VideoError {
    VideoError(
      source.scheme == .pipe ? .truncated : .sourceUnavailable,
      MessageText("sourceWithoutPicture").adding(["source": source.name]))
  }

  /// A source fails while it is read.
  static func stop(of source: String, _ error: FFmpegError) -> VideoError {
    unavailable(source, MessageText("sourceStopped", ["reason": error]), cause: error)
  }

  fileprivate static func unavailable(
    _ source: String, _ text: MessageText, cause: FFmpegError? = nil
  ) -> VideoError {
    VideoError(.sourceUnavailable, text.adding(["source": source]), cause: cause)
  }

  fileprivate static func words(_ time: Duration) -> String {
    let seconds = Int(saturating: time.seconds)
    return seconds > 1 ? "\(seconds) seconds" : seconds == 1 ? "a second" : "a moment"
  }
}

extension LiveInput {
  /// The error of a source that cannot be opened: of a pipe its data, of the others the source.
  func openingError(
    _ error: FFmpegError, isPastDeadline: Bool, policy: ReconnectPolicy
  ) -> VideoError {
    if isPastDeadline {
      let time = VideoError.words(policy.openTimeout)
      return .unavailable(name, MessageText("sourceTimedOut", ["time": time]), cause: error)
    }
    if pipePath != nil, let (code, text) = dataError(error) {
      return VideoError(code, text.adding(["source": name]), cause: error)
    }
    let text =
      switch error.code {
      case FFmpegError.system(ENOENT) where isCamera, FFmpegError.system(ENODEV),
        FFmpegError.system(ENXIO):
        MessageText("cameraMissing")
      case FFmpegError.system(ENOENT): MessageText("sourceMissing")
      case FFmpegError.system(EBUSY): MessageText("sourceInUse")
      case FFmpegError.system(EACCES), FFmpegError.system(EPERM): MessageText("sourceForbidden")
      case FFmpegError.streamNotFound: MessageText("sourceWithoutVideo")
      case FFmpegError.decoderNotFound: MessageText("sourceUndecodable")
      case FFmpegError.invalidData, FFmpegError.endOfFile: MessageText("sourceNotVideo")
      default: MessageText("sourceUnopened", ["reason": error])
      }
    return .unavailable(name, text, cause: error)
  }

  /// What is wrong with the data of a pipe.
  private func dataError(_ error: FFmpegError) -> (VideoErrorCode, MessageText)? {
    switch error.code {
    case FFmpegError.endOfFile: (.truncated, MessageText("pipeEmpty"))
    case FFmpegError.invalidData: (.unknownFormat, MessageText("sourceNotVideo"))
    case FFmpegError.streamNotFound: (.noVideo, MessageText("sourceWithoutVideo"))
    case FFmpegError.decoderNotFound: (.unsupportedCodec, MessageText("sourceUndecodable"))
    case FFmpegError.system(EFBIG):
      (.tooLarge, MessageText("pipeTooLong", ["gigabytes": PipeSpool.maximumByteCount >> 30]))
    case FFmpegError.system(ENOSPC): (.cannotWrite, MessageText("pipeWithoutRoom"))
    default: nil
    }
  }
}
