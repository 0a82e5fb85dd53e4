package import Foundation
package import KinemaModelFiles
internal import KinemaNetwork
internal import Synchronization

/// Finds periods by a network that was trained on synthetic people; see `docs/repetition-model.md`.
///
/// Several threads may use it at once; each call runs on one core.
package final class NetworkPeriodEstimator: PeriodEstimator {
  /// Noise alone makes still people exceed it seldom.
  package let leastMotion: Float = 0.03
  private let model: PeriodModel
  /// Memory of former runs, by the number of times.
  private let workspaces = Mutex<[Int: [Workspace]]>([:])

  /// The number of sizes for which memory is reused; while a window fills, each size is needed
  /// once.
  private static let reusedSizes = 4

  /// Creates an estimator with a model.
  ///
  /// - Throws: ``ModelFileError`` where it is no model of periods.
  package init(_ model: PeriodModel) throws {
    self.model = model
    _ = try Self.network(of: model, times: model.graph.inputShape[2])
  }

  /// Creates an estimator with the model in a file.
  ///
  /// - Throws: ``ModelFileError`` where it is no model of periods.
  package convenience init(contentsOf url: URL) throws {
    try self.init(PeriodModel(contentsOf: url))
  }

  /// The estimator with the built-in model, which is read once.
  ///
  /// - Throws: ``ModelFileError`` where it is not installed.
  package static func builtin() throws -> NetworkPeriodEstimator { try shared.get() }

  private static let shared = Result {
    try NetworkPeriodEstimator(contentsOf: BuiltInModel.repetitions.url)
  }

  package var finalPass: (any PeriodEstimator)? { TempoAverage(self) }

  package func periods(
    of track: MotionTrack, features: MotionFeatures
  ) throws -> [FramePeriod] {
    guard track.count > 1 else { return [] }
    let planes = LagPlanes(features)
    let workspace = try workspace(times: planes.timeCount)
    workspace.run(planes.values)
    let probabilities = workspace.output(0)
    keep(workspace, times: planes.timeCount)
    return (0..<planes.timeCount).map { index in
      let values = stride(from: index, to: probabilities.count, by: planes.timeCount).map {
        probabilities[$0]
      }
      return FramePeriod(time: track.time(of: index * LagPlanes.step), probabilities: values)
    }
  }

  // MARK: - Memory

  private func workspace(times: Int) throws -> Workspace {
    if let workspace = workspaces.withLock({ $0[times]?.popLast() }) { return workspace }
    return Workspace(try Self.network(of: model, times: times))
  }

  private static func network(of model: PeriodModel, times: Int) throws -> Network {
    try model.network(
      channelCount: LagPlanes.channelCount, times: times, lagCount: LagPlanes.lagCount)
  }

  private func keep(_ workspace: Workspace, times: Int) {
    workspaces.withLock { idle in
      if idle[times] == nil, idle.count >= Self.reusedSizes {
        let usual = model.graph.inputShape[2]
        idle = idle.filter { $0.key == usual }
      }
      idle[times, default: []].append(workspace)
    }
  }
}
