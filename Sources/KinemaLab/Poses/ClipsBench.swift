package import Foundation
import KinemaPose
import KinemaReport
import KinemaStreams
import KinemaVideo
package import KinemaVision

/// `kinema bench clips`: poses and processor time, clip by clip.
package enum ClipsBench {
  package struct Report: BenchReport {
    /// One clip; times are microseconds of processor time a frame.
    struct Clip: Encodable {
      let file: String
      var frames = 0
      var found = 0
      var poses = 0
      /// In how many frames each id was seen.
      var ids: [Int: Int] = [:]
      var runs: [String: Int] = [:]
      var stages: [String: Double] = [:]
      var whole = 0.0
    }

    var schema = 1
    var clips: [Clip] = []

    package var table: String {
      let names = StageTimes.Stage.allCases.map { "\($0)" }
      var columns: [(String, TextTable.Alignment)] = [
        ("clip", .left), ("frames", .right), ("found", .right), ("poses", .right),
        ("frames by id", .left),
      ]
      columns += names.map { ("\($0) runs", .right) }
      columns += names.map { ("\($0) µs", .right) }
      columns += [("all but networks µs", .right), ("all µs", .right)]
      var table = TextTable(columns)
      for clip in clips {
        let networks = clip.stages["detector", default: 0] + clip.stages["landmarks", default: 0]
        var row = [clip.file, "\(clip.frames)", "\(clip.found)", "\(clip.poses)"]
        row.append(clip.ids.values.sorted(by: >).map(String.init).joined(separator: "+"))
        row += names.map { "\(clip.runs[$0, default: 0])" }
        row += names.map { clip.stages[$0, default: 0].fixed(0) }
        table.add(row + [(clip.whole - networks).fixed(0), clip.whole.fixed(0)])
      }
      return table.text
    }
  }

  package static func run(
    _ videos: [URL], _ configuration: HumanBodyPoseExtractor.Configuration,
    progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) async throws -> Report {
    var report = Report()
    for video in videos {
      report.clips.append(try await clip(video, configuration))
      progress(report.clips.count, videos.count)
    }
    return report
  }

  private static func clip(
    _ video: URL, _ configuration: HumanBodyPoseExtractor.Configuration
  ) async throws -> Report.Clip {
    let extractor = HumanBodyPoseExtractor(configuration: configuration)
    // The networks are loaded before anything is measured.
    _ = try await extractor.applied(to: Frame(width: 64, height: 64))
    await extractor.reset()
    await extractor.measureStages()
    var clip = Report.Clip(file: video.lastPathComponent)
    for try await frame in try await VideoReader.read(contentsOf: video) {
      let start = processorSeconds()
      let poses = try await extractor.applied(to: frame).feature
      clip.whole += processorSeconds() - start
      clip.frames += 1
      clip.found += poses.isEmpty ? 0 : 1
      clip.poses += poses.count
      for pose in poses { clip.ids[pose.personID ?? 0, default: 0] += 1 }
    }
    let microseconds = 1e6 / Double(max(1, clip.frames))
    clip.whole *= microseconds
    let times = await extractor.stageTimes
    for stage in StageTimes.Stage.allCases {
      clip.runs["\(stage)"] = times.counts[stage.rawValue]
      clip.stages["\(stage)"] = times.seconds[stage.rawValue] * microseconds
    }
    return clip
  }
}
