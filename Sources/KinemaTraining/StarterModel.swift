public import Foundation
import KinemaAction
import KinemaNetwork
import KinemaPose
import KinemaSynth

/// A small action classifier for the synthetic exercises, fitted on synthetic people in seconds.
///
/// Random convolutions over time and a ridge regression on their means (the idea of Dempster et al.,
/// *ROCKET*, Data Mining and Knowledge Discovery 2020), over windows that are freed of place and
/// size inside the network: each coordinate loses its mean over the window, and the window is
/// brought to unit length. It shows the way from poses to actions; it is no match for a network that
/// is trained.
public struct StarterModel: Sendable {
  /// How the model is fitted; the same values give the same model.
  public struct Parameters: Hashable, Codable, Sendable {
    /// The frames of a window.
    public var windowSize = 60
    /// The frames per second.
    public var frameRate = 30.0
    /// How many random convolutions there are for each dilation.
    public var kernelsPerDilation = 96
    /// How far apart the frames are that a convolution looks at.
    public var dilations = [1, 2, 4]
    /// How many synthetic people do each exercise.
    public var peoplePerExercise = 60
    /// The penalty of the ridge regression.
    public var penalty = 0.003
    /// Decides people, views and convolutions.
    public var seed: UInt64 = 1

    /// The defaults.
    public init() {}
  }

  /// How many frames a convolution looks at.
  private static let kernelSize = 9
  /// The label of each output.
  public static let labels = Exercise.allCases.map(\.rawValue)

  /// How the model was fitted.
  public let parameters: Parameters
  /// The share of windows of people it was not fitted on that it gets right.
  public let validationAccuracy: Double
  private let graph: Graph

  /// Fits a model.
  ///
  /// - Throws: An error where the parameters make no network, such as a window of no frames.
  public init(parameters: Parameters = Parameters()) throws {
    self.parameters = parameters
    var generator = SeededGenerator(seed: parameters.seed)
    let front = try Self.featureNodes(parameters, using: &generator)
    let data = SyntheticWindows(
      peoplePerExercise: parameters.peoplePerExercise, windowSize: parameters.windowSize,
      frameRate: parameters.frameRate, using: &generator)
    let network = try Network(
      Self.graph(parameters, front), outputs: [front.last?.outputs.first ?? ""])
    let workspace = Workspace(network)
    let features = data.windows.map { window in
      workspace.run(window.values)
      return workspace.output(0)
    }
    // Every fifth person of each exercise judges.
    let isHeldOut = data.windows.map { $0.person / Exercise.allCases.count % 5 == 4 }
    let fitted = data.windows.indices.filter { !isHeldOut[$0] }
    let judged = data.windows.indices.filter { isHeldOut[$0] }
    let regression = RidgeRegression(
      features: fitted.map { features[$0] },
      targets: fitted.map { index in
        Exercise.allCases.indices.map { data.windows[index].label == $0 ? 1 : 0 }
      },
      penalty: parameters.penalty)
    let scores = judged.map { regression.predict(features[$0]) }
    let truths = judged.map { data.windows[$0].label }
    validationAccuracy = Self.accuracy(scores, truths)
    graph = try Self.graph(
      parameters,
      front + Self.headNodes(regression, scale: Self.bestScale(scores, truths), after: front))
  }

  /// Writes the model as a `.mlmodel`.
  ///
  /// - Throws: ``ActionError`` where the file cannot be written.
  public func write(to url: URL) throws {
    let metadata = ModelMetadata(
      shortDescription: "A starter model for exercises, fitted on synthetic people by Kinema.",
      author: "Kinema", version: "1")
    try ModelWriter(
      graph: graph, labels: Self.labels, frameRate: parameters.frameRate, metadata: metadata
    ).write(to: url)
  }

  private static func graph(_ parameters: Parameters, _ nodes: [Node]) -> Graph {
    Graph(
      inputName: "poses", inputShape: [parameters.windowSize, 3, JointKey.body.count], nodes: nodes)
  }

  /// From the window to the means of the convolutions, [1, kernels, 1, 1].
  private static func featureNodes(
    _ parameters: Parameters, using generator: inout SeededGenerator
  ) throws -> [Node] {
    let channels = 3 * JointKey.body.count
    let places = 2 * JointKey.body.count
    // Confidences take no part.
    let gamma = (0..<channels).map { Float($0 < places ? 1 : 0) }
    let zeros = [Float](repeating: 0, count: channels)
    let ones = [Float](repeating: 1, count: channels)
    var nodes = [
      Node("rows", Reshape(target: [parameters.windowSize, channels]), from: "poses"),
      Node("channels", Transpose(axes: [1, 0]), from: "rows"),
      Node("plane", Reshape(target: [1, channels, parameters.windowSize, 1]), from: "channels"),
      Node(
        "places",
        try BatchNormalization(
          channels: channels, gamma: gamma, beta: zeros, mean: zeros, variance: ones),
        from: "plane"),
      Node(
        "centred",
        try MeanVarianceNormalization(acrossChannels: false, normalizesVariance: false),
        from: "places"),
      Node("normalised", try L2Normalization(), from: "centred"),
    ]
    // Values of a window of unit length are this small on average.
    let size = Float(places * parameters.windowSize).squareRoot()
    for dilation in parameters.dilations {
      let kernels = try convolution(
        parameters.kernelsPerDilation, channels: channels, places: places, dilation: dilation,
        scale: size, using: &generator)
      nodes.append(Node("convolved\(dilation)", kernels, from: "normalised"))
    }
    return nodes + [
      Node(
        name: "convolved", layer: Concatenation(axis: -3),
        inputs: parameters.dilations.map { "convolved\($0)" }, outputs: ["convolved"]),
      Node("rectified", Activation(.rectified), from: "convolved"),
      Node("features", Pooling(operation: .average, window: nil), from: "rectified"),
    ]
  }

  /// Random convolutions: each looks at a few coordinates and ignores what is constant.
  private static func convolution(
    _ count: Int, channels: Int, places: Int, dilation: Int, scale: Float,
    using generator: inout SeededGenerator
  ) throws -> Convolution {
    var weights = [Float](repeating: 0, count: count * channels * kernelSize)
    var biases: [Float] = []
    for kernel in 0..<count {
      let chosen = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        Int.random(in: 0..<places, using: &generator)
      }
      for channel in chosen {
        var taps = (0..<kernelSize).map { _ in Float.random(in: -1...1, using: &generator) }
        let mean = taps.reduce(0, +) / Float(kernelSize)
        taps = taps.map { $0 - mean }
        let norm = taps.reduce(0) { $0 + $1 * $1 }.squareRoot() * Float(chosen.count).squareRoot()
        for (index, tap) in taps.enumerated() {
          weights[(kernel * channels + channel) * kernelSize + index] += tap / norm * scale
        }
      }
      biases.append(.random(in: -1...1, using: &generator))
    }
    let reach = (kernelSize - 1) / 2 * dilation
    return try Convolution(
      outputChannels: count, kernelChannels: channels,
      window: Window(
        kernel: (kernelSize, 1), dilation: (dilation, 1),
        edges: .explicit(top: reach, bottom: reach, left: 0, right: 0)),
      weights: weights, bias: biases)
  }

  /// From the means to probabilities.
  private static func headNodes(
    _ regression: RidgeRegression, scale: Float, after front: [Node]
  ) throws -> [Node] {
    let featureCount = regression.weights[0].count
    return [
      Node("vector", Reshape(target: [1, featureCount]), from: "features"),
      Node(
        "scores",
        try InnerProduct(
          inputChannels: featureCount, outputChannels: labels.count,
          weights: regression.weights.flatMap { $0 }.map { $0 * scale },
          bias: regression.biases.map { $0 * scale }),
        from: "vector"),
      Node("labelProbabilities", Softmax(axis: 1), from: "scores"),
    ]
  }

  /// The factor that makes the scores the likeliest logits.
  private static func bestScale(_ scores: [[Float]], _ truths: [Int]) -> Float {
    let candidates = stride(from: Float(1), through: 40, by: 0.5)
    return candidates.min { loss(scores, truths, $0) < loss(scores, truths, $1) } ?? 1
  }

  private static func loss(_ scores: [[Float]], _ truths: [Int], _ scale: Float) -> Double {
    zip(scores, truths).reduce(0) { sum, sample in
      let logits = sample.0.map { Double($0 * scale) }
      let highest = logits.max() ?? 0
      let total = logits.reduce(0) { $0 + exp($1 - highest) }
      return sum + log(total) + highest - logits[sample.1]
    }
  }

  private static func accuracy(_ scores: [[Float]], _ truths: [Int]) -> Double {
    let right = zip(scores, truths).count { scores, truth in
      scores.indices.max { scores[$0] < scores[$1] } == truth
    }
    return truths.isEmpty ? 0 : Double(right) / Double(truths.count)
  }
}

extension Node {
  /// A layer with one input and one output, which is named like the layer.
  fileprivate init(_ name: String, _ layer: any Layer, from input: String) {
    self.init(name: name, layer: layer, inputs: [input], outputs: [name])
  }
}
