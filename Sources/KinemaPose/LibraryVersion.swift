import CZip

extension PoseSequence {
  /// The version of the libzip library that is linked.
  package static var libraryVersion: String { String(cString: zip_libzip_version()) }
}
