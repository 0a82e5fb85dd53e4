import Foundation
import KinemaVideo

extension WatchConfiguration.Source {
  /// Parses the address as it will be opened; a file must be there.
  ///
  /// - Throws: ``WatchError`` with the place in the file and the name of the source.
  func checkAddress(at place: String) throws(WatchError) {
    func failure(_ reason: String) -> WatchError {
      WatchError(.malformed, "\(place): the address of “\(name)” cannot be used. \(reason)")
    }
    let source: LiveSource
    do {
      source = try LiveSource(address)
    } catch {
      throw failure(error.message)
    }
    guard case .file(let url) = source else { return }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
      !isFolder.boolValue, FileManager.default.isReadableFile(atPath: url.path)
    else {
      throw failure("\(address) is not a readable file, stream or camera.")
    }
  }
}
