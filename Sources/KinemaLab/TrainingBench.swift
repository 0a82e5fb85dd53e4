import KinemaAction
package import KinemaNetwork
import KinemaPose
import KinemaReport

/// `kinema bench training`: steps of training over random windows, for comparing engines.
package enum TrainingBench {
  package struct Settings {
    package var architecture = TrainingArchitecture.stgcn
    package var batchSize = 32
    package var windowSize = 60
    package var precision = NetworkTrainingOptions.Precision.float32
    package var threadCount = 1
    package var seconds = 5.0

    package init() {}
  }

  package struct Report: BenchReport {
    var training: String
    var batch, window: Int
    var precision: String
    var threads, windows: Int
    var windowsPerSecond: Double
    var windowsPerCoreSecond: Double

    package var table: String {
      var table = TextTable([("", .left), ("", .right)])
      table.add(["steps of training", "\(training), \(precision), \(threads) threads"])
      table.add(["windows a second", windowsPerSecond.fixed(1)])
      table.add(["windows a second and core", windowsPerCoreSecond.fixed(1)])
      return table.text
    }
  }

  private static let classCount = 6

  /// - Throws: ``KinemaNetwork/NetworkError`` where there is no such network.
  package static func run(_ settings: Settings) throws -> Report {
    let trainer = try NetworkTrainer(
      TrainableNetworkSpecification(
        architecture: settings.architecture, windowSize: settings.windowSize,
        pointCount: BodyJoint.count, classCount: classCount, graph: .createML),
      options: NetworkTrainingOptions(
        batchSize: settings.batchSize, seed: 1, precision: settings.precision,
        threadCount: settings.threadCount))
    // Any numbers take the same time; these are spread over 0 to 1.
    let windows = (0..<(settings.batchSize * settings.windowSize * 3 * BodyJoint.count)).map {
      Float($0 &* 7919 % 1009) / 1009
    }
    let labels = (0..<settings.batchSize).map { $0 % classCount }
    func step() throws {
      _ = try trainer.step(windows: windows, labels: labels, learningRate: 1e-4)
    }
    for _ in 0..<2 { try step() }
    let cpuStart = processorSeconds()
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
      windowsPerCoreSecond: Double(count) / (processorSeconds() - cpuStart))
  }
}
