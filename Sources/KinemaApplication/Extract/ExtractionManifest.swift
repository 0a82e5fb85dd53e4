import Foundation
import Kinema
import KinemaFiles
import KinemaTraining

/// The videos that are extracted, each once, in the order of the list.
struct ExtractionManifest {
  struct Video: Sendable {
    /// The path as it is listed, or below the folder that is listed.
    let name: String
    let url: URL
    /// Why it cannot be extracted, where that is known.
    fileprivate(set) var problem: String?
    /// The path below `poses/` and `records/` without ending.
    private let place: String

    /// - Parameter path: What distinguishes the video from others; its name where none is given.
    init(name: String, url: URL, path: String? = nil, problem: String? = nil) {
      (self.name, self.url) = (name, url)
      self.problem =
        problem
        ?? (StreamAddress.isAddress(name)
          ? "\(name) is an address, and videos are read from files: mount it, or take "
            + "kinema.cluster.PoseExtractor in Python, which reads addresses." : nil)
      place = (path ?? name).split(separator: "/").filter { $0 != "." }.map { part in
        // A file's name has at most 255 bytes, with its endings and those of a temporary file.
        part == ".." ? "up" : part.utf8.count <= 220 ? String(part) : Self.shortened(String(part))
      }.joined(separator: "/")
    }

    /// Where its poses are, below the output folder; labelled folders stay what they are.
    var poses: String { "poses/\(place).npz" }
    /// Where its record is, below the output folder.
    var record: String { "records/\(place).jsonl" }

    /// The video of a name that cannot be opened, as it can be shown.
    static func unnameable(_ name: String) -> Video {
      Video(
        name: name, url: URL(filePath: "/"),
        problem: "\(name) is no name in UTF-8, or a link that leads nowhere: rename it.")
    }

    /// The folders that its files need, below the output folder, by the bytes of their names.
    fileprivate var folders: [Data] {
      [poses, record].flatMap { path in
        path.utf8.indices.filter { path.utf8[$0] == UInt8(ascii: "/") }
          .map { Data(path.utf8[..<$0]) }
      }
    }

    private static func shortened(_ name: String) -> String {
      "\(name.prefix(40))-\(ContentHash.sha256(of: Data(name.utf8)).prefix(32))"
    }
  }

  /// Part `index` (from 1) of `count`: every `count`-th video of the list; part 0 is part `count`, so
  /// that numbers from 0 divide a list as well.
  struct Shard: OptionValue {
    static let largestCount = 1_000_000
    let index: Int
    let count: Int

    init?(_ text: String) {
      let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let index = numbers[0], let count = numbers[1], count >= 1,
        count <= Self.largestCount, (0...count).contains(index)
      else { return nil }
      (self.index, self.count) = (index == 0 ? count : index, count)
    }

    static var kind: OptionKind { .text }
    static func value(of text: String, within limits: ClosedRange<Int>?) -> Shard? { Shard(text) }
    static func expectation(within limits: ClosedRange<Int>?) -> String {
      "a part and their number, such as 3/8"
    }
  }

  /// The columns that can name a video, the first that is there.
  private static let columns = ["video", "file_name", "path", "file"]

  private(set) var videos: [Video] = []
  /// The files in the folder that are no videos, by their names.
  private(set) var others: [String] = []
  /// The videos by the bytes of their names: names that look alike can be two files.
  private var names: Set<Data> = []

  /// Reads a list of videos, or the videos in a folder.
  ///
  /// A list is a CSV file with a column of ``columns``, or with paths in the first one, or a text with a
  /// path in each line, also one that begins with `#`; relative paths start at its folder.
  ///
  /// - Throws: ``CommandFailure`` where there is no list or no video in it.
  init(_ path: String) throws {
    let url = URL(filePath: path)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw CommandFailure(.noInput, "\(path) is not there; check the name.")
    }
    if isFolder.boolValue {
      try add(videosIn: url, prefix: "")
    } else {
      let folder = url.deletingLastPathComponent()
      for name in try Self.names(in: url) {
        add(
          Video(
            name: name,
            url: name.hasPrefix("/") ? URL(filePath: name) : folder.appending(path: name)))
      }
    }
    guard !videos.isEmpty else { throw CommandFailure(.noInput, "\(path) names no video.") }
    try checkPlaces()
  }

  func videos(of shard: Shard?) -> [Video] {
    guard let shard else { return videos }
    return stride(from: shard.index - 1, to: videos.count, by: shard.count).map { videos[$0] }
  }

  private mutating func add(_ video: Video) {
    if names.insert(Data(video.name.utf8)).inserted { videos.append(video) }
  }

  private mutating func add(videosIn folder: URL, prefix: String) throws {
    let contents = try MediaFolder(folder).contents()
    func isVideo(_ file: URL) -> Bool {
      MediaFolder.videoExtensions.contains(file.pathExtension.lowercased())
    }
    for file in contents.files {
      let name = prefix + file.lastPathComponent
      if isVideo(file) { add(Video(name: name, url: file)) } else { others.append(name) }
    }
    for name in contents.unusable {
      if isVideo(URL(filePath: name)) {
        add(.unnameable(prefix + name))
      } else {
        others.append(prefix + name)
      }
    }
    for inner in contents.folders {
      try add(videosIn: inner, prefix: "\(prefix)\(inner.lastPathComponent)/")
    }
  }

  private static func names(in url: URL) throws -> [String] {
    let name = url.lastPathComponent
    do {
      let data = try Data(contentsOf: url)
      guard url.pathExtension.lowercased() == "csv" else {
        return String(decoding: try CSV.text(data, name: name), as: UTF8.self)
          .split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
          .filter { !$0.isEmpty }
      }
      let rows = try CSV(data, name: name).rows
      let header = rows.first?.cells.map { $0.lowercased() } ?? []
      let column = columns.lazy.compactMap { header.firstIndex(of: $0) }.first
      return (column == nil ? rows[...] : rows.dropFirst()).compactMap { row in
        row.cells.dropFirst(column ?? 0).first.flatMap { $0.isEmpty ? nil : $0 }
      }
    } catch let error as CSV.Malformed {
      throw CommandFailure(.badData, error.description)
    } catch {
      throw CommandFailure(.noInput, "\(url.path) cannot be read: check its permissions.")
    }
  }

  /// Two paths such as `/a.mp4` and `a.mp4` would write the same file; a video `x.mp4` beside a folder
  /// `x.mp4.npz` would write a file in the folder's place.
  private mutating func checkPlaces() throws {
    var known: [Data: String] = [:]
    for video in videos {
      if let other = known.updateValue(video.name, forKey: Data(video.poses.utf8)) {
        throw CommandFailure(
          .badData,
          "\(other) and \(video.name) would both be written to \(video.poses): list them alike.")
      }
    }
    let folders = Set(videos.flatMap(\.folders))
    for index in videos.indices {
      let paths = [videos[index].poses, videos[index].record]
      guard let path = paths.first(where: { folders.contains(Data($0.utf8)) }) else { continue }
      videos[index].problem =
        "\(path) is a folder with the poses of other videos: rename \(videos[index].name)."
    }
  }
}
