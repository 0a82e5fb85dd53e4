import Foundation
import KinemaNetwork

/// `kinema bench --training`: steps of training over random windows, for comparing engines.
enum TrainingBench {
  /// What the options ask for.
  struct Settings {
    var architecture: TrainingArchitecture
    var batchSize: Int
    var windowSize: Int
    var precision: NetworkTrainingOptions.Precision
    var threadCount: Int
    var seconds: Double

    init(_ arguments: Arguments) throws {
      architecture = try arguments.choice("training", default: TrainingArchitecture.stgcn)
      batchSize = try arguments.integer("batch", within: 1...4096) ?? 32
      windowSize = try arguments.integer("window", within: 1...2400) ?? 60
      threadCount = try arguments.integer("threads", within: 1...1024) ?? 1
      seconds = try arguments.number("seconds", within: 0.1...3600) ?? 5
      precision =
        switch arguments.value("precision") {
        case nil, "f32": .float32
        case "bf16": .bfloat16
        case let other?: throw UsageError("--precision takes f32 or bf16, not \(other).")
        }
    }
  }

  /// What a run measured.
  struct Report: Encodable {
    var training: String
    var batch: Int
    var window: Int
    var precision: String
    var threads: Int
    var windows: Int
    var windowsPerSecond: Double
    /// Windows a second of processor time.
    var windowsPerCoreSecond: Double

    var table: String {
      var table = TextTable([("", .left), ("", .right)])
      table.add(["steps of training", "\(training), \(precision), \(threads) threads"])
      table.add(["windows a second", windowsPerSecond.fixed(1)])
      table.add(["windows a second and core", windowsPerCoreSecond.fixed(1)])
      return table.text
    }
  }

  /// The classes of the network that is measured.
  private static let classCount = 6

  static func run(_ settings: Settings) throws -> Report {
    let trainer: NetworkTrainer
    do {
      trainer = try NetworkTrainer(
        TrainableNetworkSpecification(
          architecture: settings.architecture, windowSize: settings.windowSize,
          classCount: classCount),
        options: NetworkTrainingOptions(
          batchSize: settings.batchSize, seed: 1, precision: settings.precision,
          threadCount: settings.threadCount))
    } catch let error as NetworkError {
      throw CommandFailure(.unavailable, "Nothing can be measured: \(error.message).")
    }
    // Any numbers take the same time; these are spread over 0 to 1.
    let windows = (0..<(settings.batchSize * settings.windowSize * 54)).map {
      Float($0 &* 7919 % 1009) / 1009
    }
    let labels = (0..<settings.batchSize).map { $0 % classCount }
    func step() throws {
      _ = try trainer.step(windows: windows, labels: labels, learningRate: 1e-4)
    }
    for _ in 0..<2 { try step() }
    let cpuStart = BenchCommand.cpuSeconds()
    let start = ContinuousClock.now
    var count = 0
    while ContinuousClock.now - start < .seconds(settings.seconds) {
      try step()
      count += settings.batchSize
    }
    return Report(
      training: settings.architecture.rawValue, batch: settings.batchSize,
      window: settings.windowSize,
      precision: settings.precision == .float32 ? "f32" : "bf16",
      threads: settings.threadCount, windows: count,
      windowsPerSecond: Double(count) / ((ContinuousClock.now - start) / .seconds(1)),
      windowsPerCoreSecond: Double(count) / (BenchCommand.cpuSeconds() - cpuStart))
  }
}
