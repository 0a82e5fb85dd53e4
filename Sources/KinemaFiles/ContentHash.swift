import CCrypto
package import Foundation

/// The SHA-256 of a file's content or of bytes (FIPS 180-4), as 64 hexadecimal digits.
package enum ContentHash {
  private static let pieceByteCount = 1 << 20

  /// The hash of a file's content; throws the system's error where the file cannot be read,
  /// `CancellationError` when the task is cancelled meanwhile.
  package static func sha256(ofFileAt url: URL) throws -> String {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    return try digest { update in
      while let piece = try file.read(upToCount: pieceByteCount), !piece.isEmpty {
        try Task.checkCancellation()
        update(piece)
      }
    }
  }

  package static func sha256(of data: Data) -> String { digest { update in update(data) } }

  private static func digest(_ body: ((Data) -> Void) throws -> Void) rethrows -> String {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    EVP_DigestInit_ex(context, EVP_sha256(), nil)
    try body { data in
      data.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &digest, nil)
    return digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
