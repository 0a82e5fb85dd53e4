import CZip

extension PoseSequence {
  package static var libraryVersion: String { String(cString: zip_libzip_version()) }
}
