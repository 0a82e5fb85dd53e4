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

  /// The 20 bytes of SHA-1 (FIPS 180-4), which old protocols ask for; it protects nothing.
  package static func sha1(of data: Data) -> Data {
    var digest = [UInt8](repeating: 0, count: 20)
    data.withUnsafeBytes { bytes in
      _ = EVP_Digest(bytes.baseAddress, bytes.count, &digest, nil, EVP_sha1(), nil)
    }
    return Data(digest)
  }

  /// The HMAC-SHA256 (RFC 2104) of bytes, as 64 hexadecimal digits.
  package static func hmacSHA256(of data: Data, key: Data) -> String {
    var code = [UInt8](repeating: 0, count: 32)
    key.withUnsafeBytes { key in
      data.withUnsafeBytes { data in
        // OpenSSL refuses a null key, even of no bytes.
        _ = withUnsafePointer(to: UInt8(0)) { none in
          EVP_Q_mac(
            nil, "HMAC", nil, "SHA256", nil, key.baseAddress ?? UnsafeRawPointer(none), key.count,
            data.bindMemory(to: UInt8.self).baseAddress, data.count, &code, code.count, nil)
        }
      }
    }
    return hexadecimal(code)
  }

  private static func digest(_ body: ((Data) -> Void) throws -> Void) rethrows -> String {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    EVP_DigestInit_ex(context, EVP_sha256(), nil)
    try body { data in
      data.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &digest, nil)
    return hexadecimal(digest)
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
