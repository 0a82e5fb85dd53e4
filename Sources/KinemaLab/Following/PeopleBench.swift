package import Foundation
import KinemaPose
import KinemaReport
import KinemaStreams
import KinemaVideo
package import KinemaVision

/// `kinema bench people`: evaluates tracking of people.
package enum PeopleBench {
  /// What a run measured.
  package struct Report: BenchReport {
    struct Figures: Encodable {
      var scenes: Int
      /// The share of visible persons that were found.
      var found: Double
      /// The recall of poses with a confident joint.
      var foundConfidently: Double
      /// The lowest recall of a person.
      var leastFound: Double
      var foundHidden: Double
      var swaps, splits: Int
      /// False positives, a frame.
      var ghosts: Double
      var detectorRuns, landmarkRuns: Double
      /// Milliseconds of processor time a frame.
      var frame: Double
      var tracking = TrackingMetrics()
      var returns = TrackRecord.Returns()

      init(_ scenes: [FollowingBenchmark.Scene]) {
        let scores = scenes.map(\.score)
        func share(_ part: (FollowingScore) -> Int, _ whole: (FollowingScore) -> Int) -> Double {
          Double(scores.reduce(0) { $0 + part($1) })
            / Double(max(1, scores.reduce(0) { $0 + whole($1) }))
        }
        self.scenes = scenes.count
        found = share(\.found, \.visible)
        foundConfidently = share(\.foundConfidently, \.visible)
        leastFound = scores.map(\.leastFoundShare).min() ?? 1
        foundHidden = share(\.foundHidden, \.hidden)
        swaps = scores.reduce(0) { $0 + $1.count(.swap) }
        splits = scores.reduce(0) { $0 + $1.count(.split) }
        ghosts = share(\.ghosts, \.frames)
        let frames = Double(max(1, scores.reduce(0) { $0 + $1.frames }))
        detectorRuns = Double(scenes.reduce(0) { $0 + $1.detectorRuns }) / frames
        landmarkRuns = Double(scenes.reduce(0) { $0 + $1.landmarkRuns }) / frames
        frame = scenes.reduce(0) { $0 + $1.frameTime * Double($1.score.frames) } / frames
        for scene in scenes {
          tracking += scene.tracking
          returns += scene.returns
        }
      }
    }

    var schema = 1
    var overall: Figures
    /// By how many people there are.
    var perCount: [Int: Figures]
    /// By what makes it hard.
    var perKind: [String: Figures]
    package var scenes: [FollowingBenchmark.Scene]

    package init(_ scenes: [FollowingBenchmark.Scene]) {
      self.scenes = scenes
      overall = Figures(scenes)
      perCount = Dictionary(grouping: scenes, by: \.personCount).mapValues(Figures.init)
      perKind = Dictionary(grouping: scenes, by: \.kind).mapValues(Figures.init)
    }

    /// A row for each kind or, of one kind, for each number of people.
    private var rows: [(title: String, figures: Figures)] {
      var kinds: [String] = []
      for scene in scenes where !kinds.contains(scene.kind) { kinds.append(scene.kind) }
      let parts =
        kinds.count > 1
        ? kinds.compactMap { kind in perKind[kind].map { (kind, $0) } }
        : perCount.sorted { $0.key < $1.key }.map { ("\($0.key) people", $0.value) }
      return parts + [("all", overall)]
    }

    package var table: String {
      var found = TextTable([
        ("found", .left), ("scenes", .right), ("recall", .right), ("confident", .right),
        ("lowest", .right), ("occluded", .right), ("false", .right), ("detector", .right),
        ("landmarks", .right), ("ms", .right),
      ])
      var tracked = TextTable([
        ("tracked", .left), ("HOTA", .right), ("DetA", .right), ("AssA", .right),
        ("IDF1", .right), ("MOTA", .right), ("IDSW", .right), ("switches", .right),
        ("fragments", .right), ("returns", .right), ("regained", .right), ("another's", .right),
      ])
      for (title, figures) in rows {
        found.add([
          title, "\(figures.scenes)", figures.found.fixed(4), figures.foundConfidently.fixed(4),
          figures.leastFound.fixed(4), figures.foundHidden.fixed(2), figures.ghosts.fixed(4),
          figures.detectorRuns.fixed(3), figures.landmarkRuns.fixed(2), figures.frame.fixed(1),
        ])
        let (metrics, returns) = (figures.tracking, figures.returns)
        tracked.add([
          title, metrics.hota.fixed(4), metrics.detA.fixed(4), metrics.assA.fixed(4),
          metrics.idf1.fixed(4), metrics.mota.fixed(4), "\(metrics.idSwitches)",
          "\(figures.swaps)", "\(figures.splits)", "\(returns.returns)", "\(returns.regained)",
          "\(returns.taken)",
        ])
      }
      return found.text + "\n" + tracked.text
    }

    /// The tracks of each scene for other implementations of the metrics: a file of JSON lines, one
    /// a frame.
    package func exportedTracks() throws -> [(name: String, lines: Data)] {
      let encoder = JSONEncoder()
      return try scenes.enumerated().map { index, scene in
        let lines = try scene.record.frames.map { try encoder.encode($0.tracks) + Data("\n".utf8) }
        return ("\(index)-\(scene.kind).jsonl", Data(lines.joined()))
      }
    }
  }

  /// What was measured on a video.
  package struct ClipReport: BenchReport {
    var schema = 1
    var video: String
    var frames = 0
    /// People detected in the whole frame and confirmed by the landmark network, a frame.
    var wholeFrame = 0.0
    /// Tracked people, a frame.
    var followed = 0.0
    /// In how many frames each id was seen.
    var ids: [Int: Int] = [:]
    var detectorRuns = 0.0
    var landmarkRuns = 0.0

    package var table: String {
      var table = TextTable([("", .left), ("", .right)])
      table.add(["people a frame, seen in the whole picture", wholeFrame.fixed(2)])
      table.add(["people a frame, followed", followed.fixed(2)])
      table.add(["ratio", wholeFrame > 0 ? (followed / wholeFrame).fixed(2) : "–"])
      let counts = ids.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      table.add(["frames of each id", counts.joined(separator: ", ")])
      table.add(["runs of the detector, a frame", detectorRuns.fixed(3)])
      table.add(["runs of the landmark network, a frame", landmarkRuns.fixed(2)])
      return table.text
    }
  }

  /// Counts the people in a video's frames, by the detector alone and tracked.
  package static func measure(
    _ file: URL, _ configuration: HumanBodyPoseExtractor.Configuration
  ) async throws -> ClipReport {
    let extractor = HumanBodyPoseExtractor(configuration: configuration)
    var networks = try PoseNetworks(
      runtime: .located().on(configuration.device), precision: configuration.precision)
    var report = ClipReport(video: file.lastPathComponent)
    await extractor.measureStages()
    for try await frame in try await VideoReader.read(contentsOf: file) {
      let picture = frame.feature
      let whole = Region(coveringWidth: picture.width, height: picture.height)
      for detection in try networks.people(in: whole, of: picture)
      where try networks.landmarks(in: detection.region, of: picture) != nil {
        report.wholeFrame += 1
      }
      for pose in try await extractor.applied(to: frame).feature {
        report.followed += 1
        if let id = pose.personID { report.ids[id, default: 0] += 1 }
      }
      report.frames += 1
    }
    let count = Double(max(report.frames, 1))
    let runs = await extractor.stageTimes.counts
    report.wholeFrame /= count
    report.followed /= count
    report.detectorRuns = Double(runs[StageTimes.Stage.detector.rawValue]) / count
    report.landmarkRuns = Double(runs[StageTimes.Stage.landmarks.rawValue]) / count
    return report
  }
}
