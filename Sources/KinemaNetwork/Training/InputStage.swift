internal import CTrainingKernels

/// From windows to the first blob of frames: a normalisation of each coordinate of each point; for the
/// compact networks the window's place and size are normalised before.
final class InputStage {
  /// How the compact network normalises a window's place and size.
  struct WindowNormalization {
    /// The factor of confidences: they matter less than places.
    static let confidenceScale: Float = 0.1
    /// The factor of confidences beside postures, whose place is that of the points' middle.
    static let postureConfidenceScale: Float = 0.02
    /// What is added to the square of the window's length.
    static let epsilon = 1e-6

    /// The length that brings values of x and y to a mean square of about 1.
    static func length(_ specification: TrainableNetworkSpecification) -> Float {
      Float(2 * specification.pointCount * specification.windowSize).squareRoot()
    }
  }

  let normalization: TrainingNormalization
  private let specification: TrainableNetworkSpecification
  /// The windows, [samples][frames][features].
  private let raw: FrameBlob
  private let output: FrameBlob
  private let factors: FloatMemory
  private let zeros: FloatMemory
  private let context: TrainingContext
  var windows: UnsafePointer<Float>?

  init(
    _ specification: TrainableNetworkSpecification, output: FrameBlob, _ context: TrainingContext
  ) {
    self.specification = specification
    self.output = output
    self.context = context
    let features = specification.featureCount
    let channels = specification.channelCount
    normalization = TrainingNormalization("input.normalization", channels: channels, context)
    raw = FrameBlob(
      samples: context.batchSize, points: 1, frames: specification.windowSize, channels: channels)
    factors = FloatMemory(channels)
    zeros = FloatMemory(channels)
    for feature in 0..<features {
      let isPlace = feature < 2 * specification.pointCount
      factors[feature] = isPlace ? 1 : WindowNormalization.confidenceScale
    }
  }

  private var isNormalized: Bool { specification.graph == nil }

  func appendForward(to program: TrainingProgram) {
    program.chunks { [self] chunk in
      load(chunk)
      normalization.measure(chunk, raw)
    }
    program.serial { [self] in normalization.finishForward(valueCount: raw.frames) }
    program.chunks { [self] chunk in
      if isNormalized {
        let first = chunk.samples.lowerBound
        training_combine(
          raw.sample(first), Int64(raw.rows), normalization.scale.pointer, raw.sample(first),
          Int64(raw.rows), zeros.pointer, normalization.shift.pointer, 1, output.sample(first),
          Int64(output.rows), chunk.sequences(raw), Int64(raw.frames), Int64(raw.channels),
          nil)
      } else {
        for sample in chunk.samples { spread(sample) }
      }
    }
  }

  private func load(_ chunk: Chunk) {
    guard let windows else { return }
    let features = specification.featureCount
    let size = raw.frames * features
    for sample in chunk.samples {
      let target = raw.sample(sample)
      let source = windows + sample * size
      guard isNormalized else {
        target.update(from: source, count: size)
        continue
      }
      let squares = training_center(
        source, Int64(raw.frames), Int64(features), factors.pointer, target)
      let factor = Self.factor(squares, specification)
      for index in 0..<size { target[index] *= factor }
      if raw.channels > features { addPostures(source, to: target) }
    }
  }

  /// What a window is multiplied by whose values have this sum of squares.
  private static func factor(
    _ squares: Double, _ specification: TrainableNetworkSpecification
  ) -> Float {
    let length = Double(WindowNormalization.length(specification))
    return Float(length / (squares + WindowNormalization.epsilon).squareRoot())
  }

  /// Puts each frame's points about their middle behind its motion, which lies in front of the
  /// sample without gaps.
  private func addPostures(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>) {
    let points = specification.pointCount
    let features = specification.featureCount
    var squares = 0.0
    for frame in (0..<raw.frames).reversed() {
      let frameValues = source + frame * features
      let motion = target + frame * features
      let row = target + frame * raw.channels
      for index in (0..<features).reversed() { row[index] = motion[index] }
      let posture = row + features
      for start in [0, points] {
        var sum: Float = 0
        for point in 0..<points { sum += frameValues[start + point] }
        let middle = sum / Float(points)
        for point in 0..<points { posture[start + point] = frameValues[start + point] - middle }
      }
      for point in (2 * points)..<features {
        posture[point] = frameValues[point] * WindowNormalization.postureConfidenceScale
      }
      for index in 0..<features { squares += Double(posture[index] * posture[index]) }
    }
    let factor = Self.factor(squares, specification)
    for frame in 0..<raw.frames {
      let posture = target + frame * raw.channels + features
      for index in 0..<features { posture[index] *= factor }
    }
  }

  /// Calls for each value of a sample with its place in `raw`'s sample, [frames][3][points], its
  /// feature, and its place in `blob`, [points][frames][3].
  private func eachValue(
    _ sample: Int, _ blob: FrameBlob,
    _ body: (_ place: Int, _ feature: Int, UnsafeMutablePointer<Float>) -> Void
  ) {
    let points = specification.pointCount
    for (point, place) in (specification.graph?.places ?? []).enumerated() {
      var value = blob.sequence(sample * points + place)
      for frame in 0..<raw.frames {
        for feature in stride(from: point, to: raw.channels, by: points) {
          body(frame * raw.channels + feature, feature, value)
          value += 1
        }
      }
    }
  }

  private func spread(_ sample: Int) {
    let source = raw.sample(sample)
    let (scale, shift) = (normalization.scale.pointer, normalization.shift.pointer)
    eachValue(sample, output) { place, feature, value in
      value[0] = source[place] * scale[feature] + shift[feature]
    }
  }

  func appendBackward(to program: TrainingProgram, outputGradient: FrameBlob) {
    program.chunks { [self] chunk in
      if isNormalized {
        normalization.sumGradients(chunk, outputGradient, x: raw)
      } else {
        let sums = normalization.sums.cleared(chunk.index)
        for sample in chunk.samples { collect(sample, outputGradient, sums) }
      }
    }
    program.serial { [self] in
      normalization.finishBackward(valueCount: raw.frames)
    }
  }

  private func collect(
    _ sample: Int, _ outputGradient: FrameBlob, _ sums: UnsafeMutablePointer<Double>
  ) {
    let source = raw.sample(sample)
    let center = normalization.center.pointer
    eachValue(sample, outputGradient) { place, feature, gradient in
      let value = Double(gradient[0])
      sums[feature] += value
      sums[raw.channels + feature] += value * Double(source[place] - center[feature])
    }
  }
}
