import Foundation
import KinemaPose
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Testing

private let reportedClips =
  ProcessInfo.processInfo.environment["KINEMA_REPORT_CLIPS"]?.split(separator: " ")
  .map(String.init) ?? []

/// Not a test of its own accord: `Scripts/report_clips` runs it and prints its table.
@Suite(.serialized)
struct AllClipsReport {
  @Test(
    "frames with a pose and processor time, clip by clip",
    .enabled(if: !reportedClips.isEmpty, "Scripts/report_clips asks for it"),
    arguments: reportedClips)
  func report(name: String) async throws {
    let golden = try #require(MediaPipePose.frameCounts().first { $0.clip == name })
    let extractor = HumanBodyPoseExtractor()
    // The networks are loaded before the clock starts.
    _ = try await extractor.applied(to: Frame(width: 64, height: 64))
    await extractor.reset()
    await extractor.measureStages()
    var frames = 0
    var found = 0
    var people = 0
    var ids: [Int: Int] = [:]
    var seconds = 0.0
    try await Clip(name).forEachFrame { _, frame in
      let start = Self.processTime()
      let poses = try await extractor.applied(to: frame)
      seconds += Self.processTime() - start
      frames += 1
      found += poses.isEmpty ? 0 : 1
      people += poses.count
      for pose in poses { ids[pose.personID ?? 0, default: 0] += 1 }
      return true
    }
    let times = await extractor.stageTimes
    func perFrame(_ seconds: Double) -> String {
      String(Int((seconds / Double(frames) * 1e6).rounded()))
    }
    let networks =
      times.seconds[StageTimes.Stage.detector.rawValue]
      + times.seconds[StageTimes.Stage.landmarks.rawValue]
    let columns =
      [name, "\(frames)", "\(found)", "\(golden.found)", "\(people)"]
      + [ids.values.sorted(by: >).map(String.init).joined(separator: "+")]
      + times.counts.map(String.init) + times.seconds.map(perFrame)
      + [perFrame(seconds - networks), perFrame(seconds)]
    print("REPORT\t" + columns.joined(separator: "\t"))
    #expect(found >= golden.found)
  }

  private static func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
