import Foundation
import Kinema

/// A stream that was named on the command line: a camera, an address, a pipe, or standard input.
struct StreamOperand {
  let source: LiveSource

  /// - Parameter adjustment: The adjustment of the stream's frames.
  /// - Returns: `nil` if the operand is a file or folder.
  /// - Throws: ``UsageError`` if standard input is not a pipe.
  init?(_ operand: String, adjustment: PictureAdjustment = PictureAdjustment()) throws {
    var status = stat()
    if operand == "-" {
      guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
        throw UsageError("“-” reads a pipe; write the video into one, or name its file.")
      }
      guard let url = URL(string: "pipe:/proc/self/fd/\(STDIN_FILENO)") else { return nil }
      source = .stream(url).adjusted(by: adjustment)
      return
    }
    let source = try LiveSource(operand)
    if case .file = source { return nil }
    self.source = source.adjusted(by: adjustment)
  }

  /// What its output is named after in a folder.
  static let name = URL(filePath: "stream")
}

/// What a command reads: files, or one stream by itself.
struct CommandInput {
  let stream: StreamOperand?
  /// The files; for a stream what its output is named after.
  let files: [URL]
  /// How long a stream may take.
  let patience: StreamReading.Patience

  /// Throws ``UsageError`` for several streams, and for options of streams with files.
  init(
    _ operands: [String], _ options: StreamOptions, includingPoseFiles: Bool = false
  ) throws {
    let adjustment = options.picture.adjustment
    patience = .init(retry: options.retry ?? 0, duration: options.seconds)
    let streams = try operands.compactMap {
      try StreamOperand($0, adjustment: adjustment)
    }
    stream = streams.first
    guard stream == nil else {
      guard operands.count == 1 else {
        throw UsageError("A stream is processed by itself; name no other input.")
      }
      files = [StreamOperand.name]
      return
    }
    guard options.seconds == nil, options.retry == nil else {
      throw UsageError("--seconds and --retry go with streams; files are processed to their end.")
    }
    guard adjustment == PictureAdjustment() else {
      throw UsageError(
        "--rotate, --mirror and --stabilize go with streams; files name their own orientation.")
    }
    files = try InputFiles.resolve(operands, includingPoseFiles: includingPoseFiles)
  }
}
