import Foundation
import KinemaFiles

extension ForeignPoses {
  /// Reads OpenPose's `--write_json`: a folder with a file a frame, whose names have the frames' numbers, or one
  /// such file (doc/02_output.md).
  ///
  /// A list of such frames in one file, as DWPose's users keep it, and the size of their pictures
  /// (`canvas_width`, `canvas_height`) are read as well.
  mutating func readOpenPose(_ url: URL) throws {
    guard let contents = FolderContents(url) else {
      return try readOpenPoseFrames(of: ForeignFormat.data(of: url))
    }
    let files = contents.files.filter { $0.pathExtension.lowercased() == "json" }
    for file in files {
      do {
        try readOpenPoseFrames(of: ForeignFormat.data(of: file))
      } catch let error as PoseFile.Malformed {
        throw PoseFile.Malformed(description: "in \(file.lastPathComponent) \(error)")
      }
    }
    guard frames.count == files.count else {
      throw PoseFile.Malformed(description: "a file of the folder has several frames")
    }
    number(by: files.map { $0.deletingPathExtension().lastPathComponent })
  }

  private mutating func readOpenPoseFrames(of data: Data) throws {
    try data.scanJSON { scanner in
      guard scanner.next() == UInt8(ascii: "[") else { return try readOpenPoseFrame(&scanner) }
      try scanner.readArray { try readOpenPoseFrame(&$0) }
    }
  }

  private mutating func readOpenPoseFrame(_ scanner: inout JSONScanner) throws {
    let index = try add(Frame(number: frames.count))
    var (width, height) = (0, 0)
    var hasPeople = false
    try scanner.readObject { scanner, name in
      switch name {
      case "people":
        hasPeople = true
        try scanner.readArray { scanner in
          try add(Self.openPosePerson(&scanner), toFrame: index)
        }
      case "canvas_width": width = try scanner.readInteger()
      case "canvas_height": height = try scanner.readInteger()
      default: try scanner.skip()
      }
    }
    guard hasPeople else { throw PoseFile.Malformed(description: "a frame has no list “people”") }
    if width > 0, height > 0 { setSize((width, height), ofFrame: index) }
  }

  private static func openPosePerson(_ scanner: inout JSONScanner) throws -> Person {
    var (values, id): ([Float], Int?) = ([], nil)
    try scanner.readObject { scanner, name in
      switch name {
      case "pose_keypoints_2d", "pose_keypoints":
        if try scanner.readNull() { break }
        values = try scanner.readNumbers(limit: 3 * Person.largestPointCount)
      case "person_id": id = try scanner.readID()
      default: try scanner.skip()
      }
    }
    return try Person(values, id: id)
  }
}
