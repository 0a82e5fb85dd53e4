import CFFmpeg
package import Foundation

/// The SHA-256 of a file's content or of bytes (FIPS 180-4), as 64 hexadecimal digits.
package enum ContentHash {
  private static let pieceByteCount = 1 << 20

  /// The hash of a file's content.
  ///
  /// - Throws: ``VideoError`` where the file cannot be read, `CancellationError` when the task is
  ///   cancelled meanwhile.
  package static func sha256(ofFileAt url: URL) throws -> String {
    do {
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      return try digest { update in
        while let piece = try file.read(upToCount: pieceByteCount), !piece.isEmpty {
          try Task.checkCancellation()
          update(piece)
        }
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      throw VideoError(
        .unreadableFile, "\(url.path) cannot be read: check that it is there and its permissions.",
        cause: error)
    }
  }

  /// The hash of bytes.
  package static func sha256(of data: Data) -> String {
    // Nothing is thrown where nothing is read.
    (try? digest { update in update(data) }) ?? ""
  }

  private static func digest(_ body: ((Data) -> Void) throws -> Void) throws -> String {
    guard let context = av_sha_alloc() else {
      throw VideoError(
        .outOfResources, "There is no memory left to check a file: close other programs.")
    }
    defer { av_free(UnsafeMutableRawPointer(context)) }
    av_sha_init(context, 256)
    try body { data in
      data.withUnsafeBytes { bytes in
        av_sha_update(context, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count)
      }
    }
    var digest = [UInt8](repeating: 0, count: 32)
    av_sha_final(context, &digest)
    return digest.map { byte in
      let digits = String(byte, radix: 16)
      return byte < 16 ? "0" + digits : digits
    }.joined()
  }
}
