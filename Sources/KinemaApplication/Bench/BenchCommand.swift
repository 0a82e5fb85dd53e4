import Foundation
import Kinema
import KinemaLab

/// A benchmark: a command that prints a report.
protocol Bench: Command {
  var format: ResultFormat { get }
  func measure() async throws -> any BenchReport
}

extension Bench {
  func run() async throws {
    defer { StandardStreams.finishProgress() }
    let report = try await measure()
    switch format {
    case .table: StandardStreams.print(report.table)
    case .json: StandardStreams.print(try JSONEncoder().encode(report) + Data("\n".utf8))
    }
  }

  static func showProgress(_ activity: String) -> @Sendable (Int, Int) -> Void {
    { done, count in
      guard StandardStreams.errorIsTerminal else { return }
      StandardStreams.showProgress("\(activity)  \(done) of \(count)")
    }
  }
}

/// `kinema bench`: measures what a frame and a prediction cost on this machine.
struct BenchCommand: Bench {
  static let name = "bench"
  static let abstract = "Measure speed and quality on this machine."
  static let usage = "[VIDEO] [--model MODEL]"
  static let discussion = """
    The video is decoded once without pose extraction, and then processed with the time of each stage
    measured. "Overhead" is what the whole pipeline costs beyond decoding and the networks. Times are
    processor time of all threads. With a model and no video only a prediction is measured.
    """
  static let examples = """
    kinema bench workout.mp4
        Show milliseconds a frame, stage by stage.
    kinema bench workout.mp4 --model Exercise.mlmodel --format json
        Also a prediction against its matrix products, for a script.
    """
  @Option("MODEL", "Also measure a prediction of this model.")
  var model: NamedModel?
  var bodies = BodyOptions()
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table
  @Operands(0...1, "Name one video.")
  var videos: [String]

  func measure() async throws -> any BenchReport {
    let files = videos.isEmpty && model != nil ? [] : try InputFiles.resolve(videos)
    guard files.count <= 1 else { throw UsageError("Name one video.") }
    bodies.configuration.settings.reportSubstitutes()
    return try await FrameBench.run(files.first, bodies.configuration, model: model?.url)
  }

  /// The words of a benchmark in the form of earlier versions, whose benchmarks were options: `bench
  /// --falls --seed 7` is `bench falls --seed 7`.
  static func modern(_ words: [String]) -> [String] {
    guard words.first == name else { return words }
    for bench in [
      "training", "counting", "form", "falls", "few-shot", "people", "clips", "hard-poses",
    ] {
      guard
        let index = words.firstIndex(where: { $0 == "--\(bench)" || $0.hasPrefix("--\(bench)=") })
      else { continue }
      var rest = words
      rest.remove(at: index)
      // What the option was given is the operand.
      if let value = words[index].split(separator: "=", maxSplits: 1).dropFirst().first {
        rest.insert(String(value), at: index)
      }
      return [name, bench] + rest.dropFirst()
    }
    return words
  }
}
