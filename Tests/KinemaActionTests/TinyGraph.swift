import KinemaModelFiles
import KinemaNetwork
import KinemaTestSupport

/// A small network with every kind of layer that is read, so that damage to a byte of its file
/// mostly hits structure and not weights.
enum TinyGraph {
  /// The body network's spelling in the small: input normalisation, one block of graph and temporal
  /// convolution with a residual, and the tail with its shape arithmetic.
  static func body(frames: Int = 6, channels: Int = 2, classes: Int = 3) throws -> Graph {
    var values = Values(seed: 1)
    let none = Window.Edges.explicit(top: 0, bottom: 0, left: 0, right: 0)
    let point = try Window(kernel: (1, 1), edges: none)
    let pooled = (frames + 1) / 2
    var nodes: [Node] = []
    func add(_ layer: any Layer, _ inputs: [String], _ outputs: [String]) {
      nodes.append(Node(name: outputs[0], layer: layer, inputs: inputs, outputs: outputs))
    }
    add(Transpose(axes: [1, 2, 0]), ["poses"], ["a"])
    add(Reshape(target: [1, 54, frames]), ["a"], ["b"])
    add(Reshape(.expanded(axes: [0, 3])), ["b"], ["c"])
    add(try values.normalization(54), ["c"], ["d"])
    add(Reshape(.squeezed(axes: [0, 3])), ["d"], ["e"])
    add(Reshape(target: [1, 3, 18, -1]), ["e"], ["f"])
    add(Transpose(axes: [0, 1, 3, 2]), ["f"], ["g"])
    add(
      try MeanVarianceNormalization(acrossChannels: false, normalizesVariance: true), ["g"], ["m"])
    add(try L2Normalization(), ["m"], ["l"])
    add(
      Scale(scale: try BroadcastParameter(shape: [1], values: [8])), ["l"], ["s"])
    add(
      Scale(bias: try BroadcastParameter(shape: [3, 1, 1], values: [0.1, 0, -0.1])), ["s"], ["t"])
    add(
      try Convolution(
        outputChannels: 3 * channels, kernelChannels: 3, window: point,
        weights: values.next(9 * channels), bias: values.next(3 * channels)), ["t"], ["u"])
    add(Split(axis: 1, parts: .equal(3)), ["u"], ["u0", "u1", "u2"])
    add(Concatenation(axis: 3), ["u0", "u1", "u2"], ["v"])
    add(Transpose(axes: [0, 3, 2, 1]), ["v"], ["w"])
    add(
      try Convolution(
        outputChannels: 18, kernelChannels: 54, window: point, weights: values.next(972)),
      ["w"], ["x"])
    add(Transpose(axes: [0, 3, 2, 1]), ["x"], ["y"])
    add(try values.normalization(channels), ["y"], ["z"])
    add(Activation(.rectified), ["z"], ["za"])
    add(try Padding(top: 2, bottom: 2, left: 0, right: 0, value: 0), ["za"], ["zb"])
    add(
      try Convolution(
        outputChannels: channels, kernelChannels: channels,
        window: Window(kernel: (5, 1), stride: (2, 1), edges: none),
        weights: values.next(5 * channels * channels), bias: values.next(channels)),
      ["zb"], ["zc"])
    add(try values.normalization(channels), ["zc"], ["zd"])
    add(
      try Convolution(
        outputChannels: channels, kernelChannels: 3,
        window: Window(kernel: (1, 1), stride: (2, 1), edges: .same(topLeftHeavy: false)),
        weights: values.next(3 * channels), bias: values.next(channels)), ["t"], ["r"])
    add(Addition(isBroadcastable: true), ["zd", "r"], ["ze"])
    add(Activation(.rectified), ["ze"], ["zf"])
    add(
      Pooling(
        operation: .average,
        window: try Window(kernel: (pooled, 18), stride: (pooled, 18), edges: none),
        excludesPadding: true), ["zf"], ["h"])
    add(
      try Convolution(
        outputChannels: classes, kernelChannels: channels, window: point,
        weights: values.next(classes * channels), bias: values.next(classes)), ["h"], ["i"])
    add(try Constant(shape: [1], values: [0]), [], ["k0"])
    add(GetShape(), ["i"], ["k1"])
    add(Gather(axis: 0), ["k1", "k0"], ["k2"])
    add(Reshape(.expanded(axes: [0])), ["k2"], ["k3"])
    add(try Constant(shape: [1], values: [-1]), [], ["k4"])
    add(Concatenation(axis: 0), ["k3", "k4"], ["k5"])
    add(Reshape(.input), ["i", "k5"], ["j"])
    add(Softmax(axis: nil), ["j"], ["labelProbabilities"])
    return Graph(inputName: "poses", inputShape: [frames, 3, 18], nodes: nodes)
  }

  /// The hand network's way in the small: a product over all joints, pooling along the width.
  static func hand(frames: Int = 4, classes: Int = 2) throws -> Graph {
    var values = Values(seed: 2)
    var nodes: [Node] = []
    func add(_ layer: any Layer, _ inputs: [String], _ outputs: [String]) {
      nodes.append(Node(name: outputs[0], layer: layer, inputs: inputs, outputs: outputs))
    }
    add(Reshape(.expanded(axes: [0])), ["poses"], ["a"])
    add(Transpose(axes: [0, 1, 3, 2]), ["a"], ["b"])
    add(Reshape(target: [1, frames, 63]), ["b"], ["c"])
    add(
      try InnerProduct(inputChannels: 63, outputChannels: 12, weights: values.next(756)),
      ["c"], ["d"])
    add(Reshape(target: [1, frames, 6, 2]), ["d"], ["e"])
    add(Transpose(axes: [0, 3, 1, 2]), ["e"], ["f"])
    add(
      Pooling(
        operation: .average,
        window: try Window(
          kernel: (1, 3), edges: .explicit(top: 0, bottom: 0, left: 1, right: 1))), ["f"], ["g"])
    add(
      try Convolution(
        outputChannels: 4, kernelChannels: 2,
        window: Window(
          kernel: (9, 1), stride: (2, 2), edges: .explicit(top: 4, bottom: 4, left: 0, right: 0)),
        weights: values.next(72)), ["g"], ["h"])
    add(
      try Convolution(
        outputChannels: 4, kernelChannels: 1, groups: 4,
        window: Window(kernel: (3, 3), edges: .same(topLeftHeavy: true)),
        weights: values.next(36)), ["h"], ["i"])
    add(Addition(), ["h", "i"], ["j"])
    add(Activation(.leakyRectified(slope: 0.1)), ["j"], ["k"])
    add(Concatenation(axis: -3, isNamed: true), ["k", "j"], ["l"])
    add(ReduceMean(axes: [-1, -2], keepsDimensions: true), ["l"], ["m"])
    add(Reshape(target: [1, 8]), ["m"], ["n"])
    add(
      try InnerProduct(
        inputChannels: 8, outputChannels: classes, weights: values.next(8 * classes),
        bias: values.next(classes)), ["n"], ["o"])
    add(Softmax(axis: 1), ["o"], ["labelProbabilities"])
    return Graph(inputName: "poses", inputShape: [frames, 3, 21], nodes: nodes)
  }

  /// The files of both.
  static func files() throws -> [[UInt8]] {
    [
      try ModelWriter(graph: body(), labels: ["jump", "run", "rest"], frameRate: 30).bytes(),
      try ModelWriter(graph: hand(), labels: ["7", "-3"], hasIntegerLabels: true).bytes(),
    ]
  }
}

extension Values {
  /// Weights of a normalization.
  mutating func normalization(_ channels: Int) throws -> BatchNormalization {
    try BatchNormalization(
      channels: channels, gamma: next(channels), beta: next(channels), mean: next(channels),
      variance: next(channels).map { $0 + 1 })
  }
}
