import Foundation
import KinemaFiles
import KinemaStreams
import KinemaSynth
import KinemaTraining

/// The sequences that a ``BuiltInRecipe`` learns from: those of synthetic people, then of motion capture.
struct RecipeExamples: Sendable {
  private let sampler: SyntheticMotionSampler
  private let syntheticCount: Int
  private let captured: CaptureSampler?
  private let count: Int

  /// - Parameter captureShare: How many sequences of motion capture come to one of a synthetic person.
  init(
    _ sampler: SyntheticMotionSampler, count: Int, captured: CaptureSampler?, captureShare: Double
  ) {
    self.sampler = sampler
    self.captured = captured
    syntheticCount = count
    self.count =
      count + (captured == nil ? 0 : Int(saturating: Double(count) * captureShare))
  }

  /// The labels of motion capture, after those of the synthetic people.
  var captureLabels: [CaptureLabel] { captured?.labels ?? [] }

  /// What is learned, in the order of the network's outputs.
  var labels: [String] { sampler.classes.map(\.label) + captureLabels.map(\.name) }

  /// The sequences, each in its place whichever thread makes it.
  ///
  /// - Parameter progress: Called on other threads, with how many are made, and of how many.
  func clips(
    progress: @escaping @Sendable (Int, Int) -> Void
  ) async throws -> [TrainingWindows.Clip] {
    let indices = indices
    let portion = BuiltInRecipe.portion
    let portions = try await ConcurrentWork.run(
      (count + portion - 1) / portion, limit: ProcessInfo.processInfo.activeProcessorCount
    ) { done, _ in
      progress(min(done * portion, count), count)
    } work: { number in
      (number * portion..<min((number + 1) * portion, count)).map { clip($0, indices) }
    }
    return portions.flatMap(\.self)
  }

  /// A hash of the labels, their shares, two sequences of each and the first of motion capture.
  ///
  /// It is another one where the library of motions or the simulation has changed.
  func hash() -> String {
    var data = Data("\(count)\n\(labels.joined(separator: "\n"))\n".utf8)
    func append(_ values: [Float]) {
      values.withUnsafeBytes { data.append(contentsOf: $0) }
    }
    for each in sampler.classes {
      data.append(contentsOf: "\(each.summary)\n".utf8)
      let one = sampler.only(each)
      for index in 0..<2 { append(one.sample(index).values) }
    }
    for index in 0..<min(count - syntheticCount, 200) {
      if let sample = captured?.sample(index) { append(sample.values) }
    }
    return ContentHash.sha256(of: data)
  }

  /// The number of each label.
  private var indices: [String: Int] {
    Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($1, $0) })
  }

  private func clip(_ index: Int, _ indices: [String: Int]) -> TrainingWindows.Clip {
    if index >= syntheticCount, let captured {
      let sample = captured.sample(index - syntheticCount)
      return TrainingWindows.Clip(
        label: indices[sample.label.name] ?? 0, values: sample.values,
        frameCount: sample.frameCount)
    }
    let sample = sampler.sample(index)
    return TrainingWindows.Clip(
      label: indices[sample.label] ?? 0, values: sample.values, frameCount: sample.frameCount)
  }
}
