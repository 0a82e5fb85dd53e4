package import Foundation
@_exported public import KinemaErrors
import KinemaFiles

/// An error of reading or writing video and images.
public typealias VideoError = KinemaError<VideoErrorCode>

/// The kinds of ``VideoError``.
public enum VideoErrorCode: String, Codable, Sendable {
  /// The file does not exist.
  case fileNotFound
  /// The file is a folder or a device, or unreadable.
  case unreadableFile
  /// The format is not supported.
  case unknownFormat
  /// The file has no video track.
  case noVideo
  /// The file is empty or truncated.
  case truncated
  /// The file is damaged.
  case damaged
  /// There is no decoder or encoder.
  case unsupportedCodec
  /// A frame is above the size limit.
  case tooLarge
  /// Opening the file timed out.
  case timedOut
  /// A camera or stream cannot be reached or has stopped.
  case sourceUnavailable
  /// The frames were already read.
  case alreadyRead
  /// The file cannot be written.
  case cannotWrite
  /// The writer is finished or was cancelled.
  case writerClosed
  /// The system has no memory or threads left.
  case outOfResources
}

extension VideoError {
  /// Runs a body that writes a file, with its failures as ``Code/cannotWrite``.
  static func writing<R>(_ body: () throws(WholeFile.Failure) -> R) throws(VideoError) -> R {
    do {
      return try body()
    } catch {
      throw VideoError(.cannotWrite, reporting: error)
    }
  }

  /// The error for a file of a kind that is neither video nor picture; `nil` for others.
  static func foreign(_ url: URL) -> VideoError? {
    FileKind(contentsOf: url).flatMap { kind in
      kind.isMedia
        ? nil : VideoError(.unknownFormat, kind.refusal(of: url.path, expected: .media))
    }
  }

  /// The error for a file without a decodable frame.
  package static func nothingDecoded(
    at url: URL, _ damage: DamageReport = DamageReport()
  ) -> VideoError {
    if let foreign = foreign(url) { return foreign }
    return VideoError(
      .damaged,
      MessageText("nothingDecoded", ["file": url.path]),
      cause: damage.firstError)
  }

  /// The error for pictures above the limits of a decoder.
  static func tooLarge(
    _ url: URL, width: Int, height: Int, _ limits: VideoDecoder.Limits
  ) -> VideoError {
    VideoError(
      .tooLarge,
      MessageText(
        "largePictures",
        [
          "file": url.path, "width": width, "height": height, "side": limits.side,
          "pixels": limits.pixelCount,
        ]))
  }
}
