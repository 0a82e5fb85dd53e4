package import Foundation
import KinemaStreams
package import KinemaVideo

/// Keeps the last seconds of a source in memory, and makes a video of those around an event.
///
/// A clip follows its event as a message of its own, so that the event is not delayed. For one task at a
/// time.
package final class ClipRecorder {
  package struct Picture: Sendable {
    package let time: TimeInterval
    package let jpeg: Data
  }

  private struct Request {
    let announcement: Announcement
    let receivers: Set<WatchRule.Receiver>
    let times: ClosedRange<TimeInterval>
  }

  /// The longest clip, in seconds.
  package static let longest = 30.0
  /// How much of a clip comes after its event.
  private static let partAfter = 1.0 / 3
  /// Pictures have at most this rate, a second, and at least this share of its interval between them, so
  /// that 30 frames a second become exactly 15.
  private static let rate = 15.0
  private static let intervalShare = 0.75
  /// Pictures have at most this long side, in pixels; together they have at most this many bytes, which is
  /// more than half a minute at 40 kB.
  private static let side = 640
  private static let byteLimit = 32 << 20
  /// The largest clip, in bytes; brokers and web servers often refuse messages above 10 MB.
  private static let clipLimit = 6 << 20
  private static let timescale = 1000

  /// How long pictures are kept, in seconds; 0 keeps none.
  package var length: TimeInterval = 0

  /// How many pictures are in memory.
  package var pictureCount: Int { pictures.count }

  private let folder: URL
  private let send: @Sendable (ClipAnnouncement, Set<WatchRule.Receiver>) -> Void
  private let report: @Sendable (String) -> Void
  private var pictures: [Picture] = []
  private var byteCount = 0
  private var requests: [Request] = []
  private var writing: Task<Void, Never>?

  /// - Parameters:
  ///   - folder: Where a video is while it is made.
  ///   - send: Is given each clip.
  package init(
    folder: URL,
    send: @escaping @Sendable (ClipAnnouncement, Set<WatchRule.Receiver>) -> Void,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.folder = folder
    self.send = send
    self.report = report
  }

  /// Adds the next frame; what is older than ``length`` goes.
  ///
  /// - Throws: `VideoError` where it cannot be encoded.
  package func add(_ frame: Frame, at time: TimeInterval) throws {
    // First, while the pictures before a gap are there.
    makeClips(before: time)
    let start = time - max(length, requests.map { time - $0.times.lowerBound }.max() ?? 0)
    while let first = pictures.first, first.time < start || byteCount > Self.byteLimit {
      byteCount -= pictures.removeFirst().jpeg.count
    }
    guard length > 0 || !requests.isEmpty else { return }
    if let last = pictures.last, time - last.time < Self.intervalShare / Self.rate { return }
    let picture = Picture(time: time, jpeg: try frame.scaled(toFit: Self.side).jpegData())
    pictures.append(picture)
    byteCount += picture.jpeg.count
  }

  /// Makes a clip of the seconds around an event, when they are there.
  package func record(
    _ announcement: Announcement, seconds: TimeInterval, for receivers: Set<WatchRule.Receiver>
  ) {
    let end = announcement.event.time + seconds * Self.partAfter
    requests.append(
      Request(announcement: announcement, receivers: receivers, times: end - seconds...end))
  }

  /// Waits for all clips; those that lack pictures are shorter.
  package func finish() async {
    makeClips(before: .infinity)
    await writing?.value
  }

  private func makeClips(before time: TimeInterval) {
    let due = requests.filter { $0.times.upperBound < time }
    requests.removeAll { $0.times.upperBound < time }
    for request in due {
      let pictures = pictures.filter { request.times.contains($0.time) }
      let name = request.announcement.source
      guard !pictures.isEmpty else {
        report("\(name): there are no pictures for a clip.")
        continue
      }
      let (before, folder, send, report) = (writing, folder, send, report)
      writing = Task {
        await before?.value
        if let video = await ClipRecorder.video(of: pictures, from: name, in: folder, report) {
          send(ClipAnnouncement(video, of: request.announcement), request.receivers)
        }
      }
    }
  }

  /// A video, unless it cannot be made or is too large, which is reported.
  private static func video(
    of pictures: [Picture], from source: String, in folder: URL,
    _ report: @Sendable (String) -> Void
  ) async -> Data? {
    do {
      let video = try await video(of: pictures, in: folder)
      if video.count <= clipLimit { return video }
      report(
        "\(source): a clip has \(video.count >> 20) MiB, above the limit of \(clipLimit >> 20) MiB, "
          + "and is not sent: ask for fewer seconds.")
    } catch let error as VideoError {
      report("\(source): a clip cannot be made: \(error.message)")
    } catch {
      report("\(source): a clip cannot be made: \(error)")
    }
    return nil
  }

  /// An MP4 file of pictures, by way of a file that is removed.
  ///
  /// - Throws: `VideoError`.
  package static func video(of pictures: [Picture], in folder: URL) async throws -> Data {
    guard let first = pictures.first else { return Data() }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appending(path: "\(UUID().uuidString).mp4")
    // What cannot be removed goes at the next start.
    defer { try? FileManager.default.removeItem(at: url) }
    let size = try Frame(jpeg: first.jpeg)
    let writer = try await VideoWriter(
      url: url, size: CGSize(width: size.width, height: size.height), frameRate: rate)
    let starts = pictures.map { Int((($0.time - first.time) * Double(timescale)).rounded()) }
    for (index, picture) in pictures.enumerated() {
      let next =
        index + 1 < starts.count ? starts[index + 1] : starts[index] + timescale / Int(rate)
      let range = starts[index]..<max(next, starts[index] + 1)
      let id = TemporalSegmentIdentifier(source: "clip", range: range, timescale: timescale)
      try await writer.append(TemporalFeature(id: id, feature: try Frame(jpeg: picture.jpeg)))
    }
    try await writer.finish()
    return try Data(contentsOf: url)
  }
}
