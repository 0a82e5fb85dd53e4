import CDNNL

extension Network {
  /// The version of the oneDNN library that is linked.
  package static var libraryVersion: String {
    guard let version = dnnl_version()?.pointee else { return "" }
    return "\(version.major).\(version.minor).\(version.patch)"
  }
}
