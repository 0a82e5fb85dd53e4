package import Foundation
import KinemaFiles
package import KinemaPose
import KinemaWatch

/// A table of real clips, and of the falls in them.
package struct FallIndex {
  package struct Row {
    package let url: URL
    let group: String
    let impact: Double?
    let showsAftermath: Bool

    /// - Parameter aspectRatio: The width of the frames divided by their height.
    package func clip(_ poses: [PoseSequence.Frame], aspectRatio: Float) -> FallClip {
      FallClip(
        name: url.deletingPathExtension().lastPathComponent, group: group, impact: impact,
        showsAftermath: showsAftermath, poses: poses, aspectRatio: aspectRatio)
    }
  }

  /// One row for each file: an index of actions has several.
  package let rows: [Row]

  private static let (file, time, after, what) = ("file", "fall_time", "visible_after", "what")

  /// Reads a table with a header.
  ///
  /// - Throws: ``WatchError`` where it cannot be read, has no column of files, or a time is no number.
  package init(contentsOf url: URL) throws {
    let name = url.lastPathComponent
    let table: CSV
    do {
      table = try CSV(Data(contentsOf: url), name: name)
    } catch let error as CSV.Malformed {
      throw WatchError(.malformed, error.message)
    } catch {
      throw WatchError(.notFound, "The table \(url.path) cannot be read; check the name.")
    }
    let header = table.rows.first?.cells ?? []
    guard header.contains(Self.file) else {
      throw WatchError(
        .malformed, "\(name) has no column “\(Self.file)”: name a table of clips.")
    }
    var seen: Set<String> = []
    var rows: [Row] = []
    for row in table.rows.dropFirst() {
      func cell(_ column: String) -> String {
        header.firstIndex(of: column).flatMap { row.cells.dropFirst($0).first } ?? ""
      }
      let file = cell(Self.file)
      guard seen.insert(file).inserted else { continue }
      let time = cell(Self.time)
      guard time.isEmpty || Double(time)?.isFinite == true else {
        throw WatchError(
          .malformed, "\(name), row \(row.number): “\(Self.time)” takes seconds, not “\(time)”.")
      }
      let room = cell(Self.what).split(separator: ":")
      let group = room.count > 1 ? room.first : file.split(separator: "_").first
      rows.append(
        Row(
          url: url.deletingLastPathComponent().appending(path: file),
          group: String(group ?? ""), impact: Double(time),
          showsAftermath: cell(Self.after) == "yes"))
    }
    self.rows = rows
  }
}
