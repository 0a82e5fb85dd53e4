package import Foundation

extension JSONDecoder {
  /// Decodes a value from bytes that anybody may have written.
  ///
  /// Foundation of Swift 6.0, which Debian 13 has, takes the names of an object's members for valid: one with a
  /// control character or a wrong escape would end the process. Its other parser, which throws, reads the
  /// bytes first.
  ///
  /// - Throws: What `decode(_:from:)` throws: a `DecodingError` where the bytes are no JSON.
  package func decodeForeign<Value: Decodable>(
    _ type: Value.Type, from data: Data
  ) throws -> Value {
    #if compiler(<6.2)
      do {
        _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      } catch {
        throw DecodingError.dataCorrupted(
          .init(codingPath: [], debugDescription: "\(error.localizedDescription)"))
      }
    #endif
    return try decode(type, from: data)
  }
}
