package import Foundation
import KinemaAction
import KinemaReport
import KinemaStreams
import KinemaVideo
package import KinemaVision

/// `kinema bench VIDEO`: what a frame and a prediction cost on this machine.
package enum FrameBench {
  /// Milliseconds of processor time a frame, unless the name says otherwise.
  package struct Report: BenchReport {
    package var frames = 0
    package var found = 0
    package var people = 0.0
    package var framesPerSecond = 0.0
    package var decode = 0.0
    var decodeAlone = 0.0
    package var networks = 0.0
    package var whole = 0.0
    package var overhead = 0.0
    var detectorRun = 0.0
    var landmarksRun = 0.0
    var samplingRun = 0.0
    var decodingRun = 0.0
    package var prediction: Double?
    var predictionProducts: Double?

    package var table: String {
      var table = TextTable([("", .left), ("", .right)])
      func add(_ title: String, _ milliseconds: Double) {
        table.add([title, "\(milliseconds.fixed(2)) ms"])
      }
      if frames > 0 {
        add("reading, a frame", decode)
        add("reading alone, a frame", decodeAlone)
        add("networks, a frame", networks)
        add("the whole way, a frame", whole)
        table.add(["overhead", overhead.percent])
        table.add(["people in a frame", people.fixed(2)])
        table.add(["speed", "\(framesPerSecond.fixed(1)) fps"])
        add("one run of the detector", detectorRun)
        add("one run of the landmark network", landmarksRun)
        add("cutting out one region", samplingRun)
        add("making landmarks of one run's numbers", decodingRun)
      }
      if let prediction, let predictionProducts {
        add("one prediction", prediction)
        add("its matrix products alone", predictionProducts)
      }
      return table.text
    }
  }

  /// Measures the frames of a video and a prediction of a model; either may be missing.
  package static func run(
    _ video: URL?, _ configuration: HumanBodyPoseExtractor.Configuration, model: URL?
  ) async throws -> Report {
    var report = Report()
    if let video {
      try await measureReading(video, into: &report)
      try await measureWhole(video, configuration, into: &report)
    }
    if let model {
      let cost = try ActionClassifier(contentsOf: model).measureCost()
      report.prediction = cost.prediction / .milliseconds(1)
      report.predictionProducts = cost.products / .milliseconds(1)
    }
    return report
  }

  private static func measureReading(_ file: URL, into report: inout Report) async throws {
    var count = 0
    let start = processorSeconds()
    for try await _ in try await VideoReader.read(contentsOf: file) { count += 1 }
    report.decodeAlone = (processorSeconds() - start) * 1000 / Double(max(1, count))
  }

  private static func measureWhole(
    _ file: URL, _ configuration: HumanBodyPoseExtractor.Configuration, into report: inout Report
  ) async throws {
    let extractor = HumanBodyPoseExtractor(configuration: configuration)
    var cpuStart = 0.0
    var wallStart = ContinuousClock.now
    let frames = try await VideoReader.read(contentsOf: file)
    for try await frame in frames {
      let poses = try await extractor.applied(to: frame).feature
      report.found += poses.isEmpty ? 0 : 1
      report.people += Double(poses.count)
      report.frames += 1
      if report.frames == 1 {
        await extractor.measureStages()
        cpuStart = processorSeconds()
        wallStart = .now
      }
    }
    report.people /= Double(max(1, report.frames))
    let count = Double(report.frames - 1)
    guard count > 0 else {
      throw VideoError(.truncated, "\(file.path) has too few frames to measure anything.")
    }
    let stages = await extractor.stageTimes
    // What reading costs beside the networks, with which it shares caches and memory.
    report.decode = frames.readingSeconds * 1000 / Double(report.frames)
    report.whole = (processorSeconds() - cpuStart) * 1000 / count
    report.framesPerSecond = count / ((ContinuousClock.now - wallStart) / .seconds(1))
    report.networks = (stages.seconds(.detector) + stages.seconds(.landmarks)) * 1000 / count
    report.detectorRun = stages.milliseconds(.detector)
    report.landmarksRun = stages.milliseconds(.landmarks)
    report.samplingRun = stages.milliseconds(.sampling)
    report.decodingRun = stages.milliseconds(.decoding)
    report.overhead = report.whole / (report.decode + report.networks) - 1
  }
}

extension StageTimes {
  /// The processor time of all runs of a stage.
  fileprivate func seconds(_ stage: Stage) -> Double { seconds[stage.rawValue] }

  /// The processor time of one run of a stage.
  fileprivate func milliseconds(_ stage: Stage) -> Double {
    seconds[stage.rawValue] * 1000 / Double(max(1, counts[stage.rawValue]))
  }
}
