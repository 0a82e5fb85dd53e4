import Foundation
import Kinema

/// A stream that was named on the command line: a camera, an address, a pipe, or standard input.
struct StreamOperand {
  let source: LiveSource
  /// The scheme of its address in lower case, if any.
  private let scheme: String?

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
      scheme = "pipe"
      return
    }
    let source = try LiveSource(operand)
    switch source {
    case .file: return nil
    case .stream(let url): scheme = url.scheme?.lowercased()
    case .camera, .pattern, .adjusted: scheme = nil
    }
    self.source = source.adjusted(by: adjustment)
  }

  /// Whether it waits for its reader, so that no frame is lost: a pipe, or a video file on a web server.
  ///
  /// A web server that does not answer is taken for a live source, which is tried again.
  func waits() async -> Bool {
    switch scheme {
    case "pipe": true
    case "http", "https": (try? await StreamFrames(source).isRecording()) == true
    default: false
    }
  }

  /// What its output is named after in a folder.
  static let name = URL(filePath: "stream")
}
