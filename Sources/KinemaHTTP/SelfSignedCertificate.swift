import CCrypto
import Foundation

/// A self-signed certificate: EC P-256, for the names that a server is reached by.
struct SelfSignedCertificate {
  /// The longest that browsers accept.
  private static let lifetimeSeconds = 397 * 86_400
  /// A pair with less time left is renewed.
  static let renewalSeconds = 30 * 86_400

  /// Both in PEM.
  let certificate: Data
  let key: Data

  /// Makes a pair for host names and addresses in numbers.
  init(names: [String]) throws(HTTPError) {
    guard let pair = Self.make(names: names) else {
      throw HTTPError(
        .cannotListen, "A certificate cannot be made: give one with its key instead.")
    }
    (certificate, key) = pair
  }

  private static func make(names: [String]) -> (Data, Data)? {
    guard let key = newKey() else { return nil }
    defer { EVP_PKEY_free(key) }
    guard let certificate = X509_new() else { return nil }
    defer { X509_free(certificate) }
    X509_set_version(certificate, 2)
    ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), .random(in: 1...(.max >> 1)))
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600)
    X509_gmtime_adj(X509_getm_notAfter(certificate), lifetimeSeconds)
    X509_set_pubkey(certificate, key)
    let subject = X509_get_subject_name(certificate)
    // MBSTRING_UTF8
    X509_NAME_add_entry_by_txt(subject, "CN", 0x1000, "Kinema (self-signed)", -1, -1, 0)
    X509_set_issuer_name(certificate, subject)
    let alternatives = names.filter(isPlain).map { isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }
    let extensions = [
      (NID_basic_constraints, "critical,CA:FALSE"),
      (NID_key_usage, "critical,digitalSignature"),
      (NID_ext_key_usage, "serverAuth"),
      (NID_subject_alt_name, alternatives.joined(separator: ",")),
    ]
    for (id, value) in extensions where !value.isEmpty {
      guard let item = X509V3_EXT_conf_nid(nil, nil, id, value) else { return nil }
      X509_add_ext(certificate, item, -1)
      X509_EXTENSION_free(item)
    }
    guard X509_sign(certificate, key, EVP_sha256()) > 0,
      let certificateText = text({ PEM_write_bio_X509($0, certificate) }),
      let keyText = text({ PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) })
    else { return nil }
    return (certificateText, keyText)
  }

  private static func newKey() -> OpaquePointer? {
    guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) > 0, EVP_PKEY_CTX_set_group_name(context, "P-256") > 0,
      EVP_PKEY_keygen(context, &key) > 0
    else { return nil }
    return key
  }

  private static func text(_ write: (OpaquePointer) -> Int32) -> Data? {
    guard let bio = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(bio) }
    guard write(bio) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(bio)))
    let count = BIO_read(bio, &bytes, Int32(bytes.count))
    return count == bytes.count ? Data(bytes) : nil
  }

  /// Whether a name has no character with a meaning of its own in an extension's text.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        (48...58).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45
          || $0 == 46
      }
  }

  private static func isAddress(_ name: String) -> Bool {
    name.contains(":") || name.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
  }
}
