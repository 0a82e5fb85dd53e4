import Foundation
import Glibc
import KinemaFiles

/// A certificate and its key in PEM files, read and found to be a pair.
struct CertificateFiles {
  let certificate: URL
  let tls: TLSContext

  /// The files that someone else made; throws `HTTPError` of code `badConfiguration` where one
  /// cannot be read, where they do not belong together, or where the certificate has expired.
  init(certificate: URL, key: URL) throws(HTTPError) {
    self.certificate = certificate
    tls = try TLSContext(certificate: certificate, key: key)
    guard tls.secondsLeft > 0 else {
      throw HTTPError(
        .badConfiguration, "The certificate \(certificate.path) has expired: renew it.")
    }
  }

  /// A self-signed pair, stored in a folder and reused until it is about to expire, or lacks one of the
  /// names.
  ///
  /// - Parameters:
  ///   - folder: Made where it is missing; only its owner may read the key.
  ///   - names: The host names and addresses that it is for; those in `required` must be in it.
  init(selfSignedIn folder: URL, names: [String], required: [String]) throws(HTTPError) {
    certificate = folder.appending(path: "certificate.pem")
    let key = folder.appending(path: "key.pem")
    if let known = try? TLSContext(certificate: certificate, key: key),
      known.secondsLeft > SelfSignedCertificate.renewalSeconds, required.allSatisfy(known.isFor)
    {
      chmod(key.path, 0o600)
      tls = known
      return
    }
    let made = try SelfSignedCertificate(names: names)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try WholeFile.write(made.key, to: key, permissions: 0o600)
      try WholeFile.write(made.certificate, to: certificate)
    } catch {
      throw HTTPError(
        .storage, "The certificate cannot be stored in \(folder.path): \(error)", cause: error)
    }
    tls = try TLSContext(certificate: certificate, key: key)
  }
}
