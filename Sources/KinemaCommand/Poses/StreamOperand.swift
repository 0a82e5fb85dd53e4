import Foundation
import Kinema

/// A stream that was named on the command line: a camera, an address, a pipe, or standard input.
struct StreamOperand {
  let source: LiveSource
  /// Whether it waits until it is read, so that no frame is left out.
  let waits: Bool

  /// - Parameter adjustment: How the stream's pictures are adjusted.
  /// - Returns: `nil` where the operand is a file or folder.
  /// - Throws: ``UsageError`` for standard input that is no pipe.
  init?(_ operand: String, adjustment: PictureAdjustment = PictureAdjustment()) throws {
    var status = stat()
    if operand == "-" {
      guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
        throw UsageError("“-” reads a pipe; write the video into one, or name its file.")
      }
      guard let url = URL(string: "pipe:/proc/self/fd/\(STDIN_FILENO)") else { return nil }
      source = .stream(url).adjusted(by: adjustment)
      waits = true
      return
    }
    let source = try LiveSource(operand)
    switch source {
    case .file: return nil
    case .stream(let url): waits = url.scheme?.lowercased() == "pipe"
    case .camera, .pattern, .adjusted: waits = false
    }
    self.source = source.adjusted(by: adjustment)
  }

  /// What its output is named after in a folder.
  static let name = URL(filePath: "stream")
}
