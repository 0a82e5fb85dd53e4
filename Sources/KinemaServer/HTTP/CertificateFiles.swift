import CCrypto
import Foundation
import Glibc
import KinemaFiles
import KinemaPose

/// A certificate and its key, in PEM files.
struct CertificateFiles: Sendable {
  let certificate: URL
  let key: URL
  /// The certificate's SHA-256 as browsers show it: bytes in upper case, with colons between them.
  let fingerprint: String

  /// The files that someone else made.
  ///
  /// - Throws: `ServerError` of code `badConfiguration` where one cannot be read, where they do not
  ///   belong together, or where the certificate has run out.
  init(certificate: URL, key: URL) throws(ServerError) {
    self.certificate = certificate
    self.key = key
    let pair = try KeyPair(certificate: certificate, key: key)
    guard pair.secondsLeft > 0 else {
      throw ServerError(
        .badConfiguration, "The certificate \(certificate.path) has run out: renew it.")
    }
    fingerprint = pair.fingerprint
  }

  /// A pair of the server's own making, kept in a folder and used again until it nears its end, or
  /// lacks one of the names.
  ///
  /// - Parameters:
  ///   - folder: Made where it is missing; the key's file is for its owner's eyes only.
  ///   - names: The host names and addresses that it is for; those in `required` must be in it.
  init(selfSignedIn folder: URL, names: [String], required: [String]) throws(ServerError) {
    certificate = folder.appending(path: "certificate.pem")
    key = folder.appending(path: "key.pem")
    if let known = try? KeyPair(certificate: certificate, key: key),
      known.secondsLeft > SelfSignedCertificate.renewalSeconds, required.allSatisfy(known.isFor)
    {
      chmod(key.path, 0o600)
      fingerprint = known.fingerprint
      return
    }
    let made = try SelfSignedCertificate(names: names)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try WholeFile.write(made.key, to: key, permissions: 0o600)
      try WholeFile.write(made.certificate, to: certificate)
    } catch {
      throw ServerError(
        .storage, "The certificate cannot be kept in \(folder.path): \(error)", cause: error)
    }
    fingerprint = try KeyPair(certificate: certificate, key: key).fingerprint
  }
}

/// A certificate and its key, as libcrypto reads them.
private final class KeyPair {
  private let certificate: OpaquePointer

  init(certificate: URL, key: URL) throws(ServerError) {
    guard let x509 = Self.read(certificate, { PEM_read_bio_X509($0, nil, nil, nil) }) else {
      throw Self.unreadable("certificate", certificate)
    }
    self.certificate = x509
    guard let key = Self.read(key, { PEM_read_bio_PrivateKey($0, nil, Self.noPassword, nil) })
    else {
      throw Self.unreadable("certificate's key", key)
    }
    defer { EVP_PKEY_free(key) }
    guard X509_check_private_key(x509, key) == 1 else {
      throw ServerError(
        .badConfiguration,
        "The certificate \(certificate.path) and the key do not belong together: give a pair.")
    }
  }

  deinit {
    X509_free(certificate)
  }

  /// How long it is still good for.
  var secondsLeft: Int {
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard ASN1_TIME_diff(&days, &seconds, nil, X509_get0_notAfter(certificate)) == 1 else {
      return 0
    }
    return Int(days) * 86_400 + Int(seconds)
  }

  /// The SHA-256 of the certificate.
  var fingerprint: String {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard X509_digest(certificate, EVP_sha256(), &digest, &count) == 1 else { return "" }
    return digest.prefix(Int(count)).map { String(format: "%02X", $0) }.joined(separator: ":")
  }

  /// Whether it is for a host's name or address.
  func isFor(_ name: String) -> Bool {
    X509_check_ip_asc(certificate, name, 0) == 1
      || X509_check_host(certificate, name, 0, 0, nil) == 1
  }

  /// Rather fail than ask at the terminal for a key's password.
  private static let noPassword:
    @convention(c) (
      UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?
    ) -> Int32 = { _, _, _, _ in -1 }

  private static func read(
    _ file: URL, _ parse: (OpaquePointer) -> OpaquePointer?
  ) -> OpaquePointer? {
    guard let bio = BIO_new_file(file.path, "r") else { return nil }
    defer { BIO_free(bio) }
    return parse(bio)
  }

  private static func unreadable(_ what: String, _ file: URL) -> ServerError {
    ServerError(
      .badConfiguration, "The \(what) \(file.path) cannot be read: give a PEM file, unencrypted.")
  }
}
