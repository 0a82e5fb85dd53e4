package import Foundation
package import KinemaFiles
import KinemaPose

/// A folder with videos and pose files.
package struct MediaFolder {
  package static let videoExtensions: Set<String> = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "gif", "mpg", "mpeg", "ts", "mts", "m2ts", "wmv",
    "flv", "3gp", "ogv", "mjpeg",
  ]

  /// Still pictures.
  package static let pictureExtensions: Set<String> = [
    "jpg", "jpeg", "png", "webp", "bmp", "tif", "tiff", "ppm", "pgm", "pbm", "pnm", "heic", "heif",
    "hif", "avif",
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

  /// The extensions of other tools' pose files, which other files have as well.
  private static let poseExtensions: Set<String> = ["json", "csv", "tsv", "txt", "trc", "skeleton"]

  /// Whether a file is a video or pose file, by its name; one of another tool's poses by its content.
  package static func isMedia(_ url: URL) -> Bool {
    videoExtensions.contains(url.pathExtension.lowercased()) || isPoseFile(url)
  }

  /// Whether a file of this name may be a video or pose file, which its content decides once it is there; a text
  /// (`.txt`) hardly ever is.
  package static func mayBeMedia(_ name: String) -> Bool {
    let url = URL(filePath: name)
    return isMedia(url)
      || poseExtensions.subtracting(["txt"]).contains(url.pathExtension.lowercased())
  }

  /// Whether a file is a still picture, by its name.
  package static func isPicture(_ url: URL) -> Bool {
    pictureExtensions.contains(url.pathExtension.lowercased())
  }

  package static func isPoseFile(_ url: URL) -> Bool {
    PoseSequence.format(of: url) != nil
      || poseExtensions.contains(url.pathExtension.lowercased()) && PoseFile.isReadable(url)
  }

  /// What is in the folder, without hidden entries.
  package func contents() throws -> FolderContents {
    guard let contents = FolderContents(url) else {
      throw TrainingError(.badData, MessageText("unreadableFolder", ["folder": url.path]))
    }
    return contents
  }
}
