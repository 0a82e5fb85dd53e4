package import Foundation
package import KinemaFiles
import KinemaPose

/// A folder with videos and pose files.
package struct MediaFolder {
  package static let videoExtensions: Set<String> = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "gif", "mpg", "mpeg", "ts", "mts", "m2ts", "wmv",
    "flv", "3gp", "ogv", "mjpeg",
  ]

  let url: URL

  /// - Throws: ``TrainingError`` where there is no such folder or it cannot be listed.
  package init(_ url: URL) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw TrainingError(.missing, MessageText("noFolder", ["folder": url.path]))
    }
    guard isFolder.boolValue else {
      throw TrainingError(.badData, MessageText("fileNotFolder", ["file": url.path]))
    }
    self.url = url
  }

  /// Whether a file is a video or pose file by its name.
  package static func isMedia(_ url: URL) -> Bool {
    videoExtensions.contains(url.pathExtension.lowercased()) || PoseSequence.format(of: url) != nil
  }

  /// What is in the folder, without hidden entries.
  package func contents() throws -> FolderContents {
    guard let contents = FolderContents(url) else {
      throw TrainingError(.badData, MessageText("unreadableFolder", ["folder": url.path]))
    }
    return contents
  }
}
