package import Foundation
import KinemaPose
import KinemaReport
import KinemaStreams
import KinemaVideo
package import KinemaVision

/// `kinema bench rooms`: the people that are found in videos without any.
package enum RoomsBench {
  /// From when on a track is one that users notice, in seconds.
  private static let noticeable = 2.0

  package struct Report: BenchReport {
    /// One video.
    struct Room: Encodable {
      let file: String
      var seconds = 0.0
      var frames = 0
      /// How long each track lasted, in seconds, longest first.
      var tracks: [Double] = []
      /// Milliseconds of processor time a frame.
      var frameTime = 0.0

      var longTracks: Int { tracks.count { $0 >= RoomsBench.noticeable } }
    }

    var schema = 1
    var rooms: [Room] = []

    /// Tracks of two seconds in half an hour.
    package var ghosts: Double {
      let seconds = rooms.reduce(0) { $0 + $1.seconds }
      return Double(rooms.reduce(0) { $0 + $1.longTracks }) * 1800 / max(seconds, 1)
    }

    package var table: String {
      var table = TextTable([
        ("video", .left), ("seconds", .right), ("tracks", .right), ("of two seconds", .right),
        ("longest", .right), ("a frame", .right),
      ])
      func add(_ name: String, _ rooms: [Room]) {
        let frames = Double(max(1, rooms.reduce(0) { $0 + $1.frames }))
        table.add([
          name, rooms.reduce(0) { $0 + $1.seconds }.fixed(1),
          "\(rooms.reduce(0) { $0 + $1.tracks.count })",
          "\(rooms.reduce(0) { $0 + $1.longTracks })",
          "\((rooms.compactMap(\.tracks.first).max() ?? 0).fixed(1)) s",
          "\((rooms.reduce(0) { $0 + $1.frameTime * Double($1.frames) } / frames).fixed(2)) ms",
        ])
      }
      for room in rooms { add(room.file, [room]) }
      add("all", rooms)
      return table.text + "\(ghosts.fixed(1)) tracks of two seconds in 30 minutes\n"
    }
  }

  /// Searches for people in videos that have none, frame by frame as a live session does.
  package static func run(
    _ videos: [URL], _ configuration: HumanBodyPoseExtractor.Configuration,
    progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) async throws -> Report {
    var report = Report()
    for video in videos {
      report.rooms.append(try await room(video, configuration))
      progress(report.rooms.count, videos.count)
    }
    return report
  }

  private static func room(
    _ video: URL, _ configuration: HumanBodyPoseExtractor.Configuration
  ) async throws -> Report.Room {
    let extractor = HumanBodyPoseExtractor(configuration: configuration)
    // The networks are loaded before anything is measured.
    _ = try await extractor.applied(to: Frame(width: 64, height: 64))
    await extractor.reset()
    var room = Report.Room(file: video.lastPathComponent)
    var stays: [Int: ClosedRange<Double>] = [:]
    for try await frame in try await VideoReader.read(contentsOf: video) {
      let times = frame.id.rangeInSeconds
      let start = processorSeconds()
      let poses = try await extractor.applied(to: frame).feature
      room.frameTime += processorSeconds() - start
      room.frames += 1
      room.seconds = times.upperBound
      for id in poses.compactMap(\.personID) {
        stays[id] = (stays[id]?.lowerBound ?? times.lowerBound)...times.upperBound
      }
    }
    room.tracks = stays.values.map { $0.upperBound - $0.lowerBound }.sorted(by: >)
    room.frameTime *= 1000 / Double(max(1, room.frames))
    return room
  }
}
