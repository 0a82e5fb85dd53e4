import KinemaNetwork
import KinemaTestSupport
import Testing

@Suite("Convolution")
struct ConvolutionTests {
  /// A case: sizes of input, channels, kernel and so on.
  struct Case: Sendable, CustomTestStringConvertible {
    var batch = 1
    var channels = 4
    var outputs = 6
    var groups = 1
    var plane = (7, 5)
    var kernel = (1, 1)
    var stride = (1, 1)
    var dilation = (1, 1)
    var edges = Window.Edges.explicit(top: 0, bottom: 0, left: 0, right: 0)

    var testDescription: String {
      "\(batch)×\(channels)×\(plane) → \(outputs)/\(groups) \(kernel) /\(stride) ·\(dilation) \(edges)"
    }
  }

  static let cases: [Case] = [
    Case(),
    Case(batch: 3),
    Case(kernel: (5, 1), edges: .explicit(top: 2, bottom: 2, left: 0, right: 0)),
    Case(kernel: (9, 1), edges: .explicit(top: 4, bottom: 4, left: 0, right: 0)),
    Case(kernel: (9, 1), stride: (2, 1), edges: .explicit(top: 4, bottom: 4, left: 0, right: 0)),
    Case(
      batch: 2, kernel: (9, 1), stride: (2, 2),
      edges: .explicit(top: 4, bottom: 4, left: 0, right: 0)),
    Case(stride: (2, 1)),
    Case(stride: (2, 2)),
    Case(stride: (3, 2), edges: .same(topLeftHeavy: false)),
    Case(kernel: (4, 1), stride: (3, 1), edges: .explicit(top: 3, bottom: 1, left: 0, right: 0)),
    Case(kernel: (3, 1), dilation: (3, 1), edges: .explicit(top: 3, bottom: 3, left: 0, right: 0)),
    Case(plane: (1, 5), kernel: (9, 1), edges: .explicit(top: 4, bottom: 4, left: 0, right: 0)),
    Case(plane: (2, 1), kernel: (3, 1), edges: .explicit(top: 9, bottom: 9, left: 0, right: 0)),
    Case(kernel: (3, 3), edges: .same(topLeftHeavy: false)),
    Case(kernel: (2, 4), stride: (2, 3), edges: .same(topLeftHeavy: true)),
    Case(kernel: (3, 3), dilation: (2, 2), edges: .explicit(top: 1, bottom: 2, left: 3, right: 0)),
    Case(kernel: (1, 5), edges: .explicit(top: 0, bottom: 0, left: 2, right: 2)),
    Case(groups: 2, kernel: (3, 1), edges: .explicit(top: 1, bottom: 1, left: 0, right: 0)),
    Case(outputs: 4, groups: 4, kernel: (5, 1), edges: .same(topLeftHeavy: false)),
    Case(outputs: 8, groups: 4, kernel: (5, 1), stride: (2, 1), edges: .same(topLeftHeavy: false)),
    Case(batch: 2, outputs: 8, groups: 4, kernel: (3, 3), edges: .same(topLeftHeavy: false)),
  ]

  @Test("every way of computing it agrees with the definition", arguments: cases)
  func definition(_ test: Case) throws {
    var values = Values(seed: 7)
    let perGroup = test.channels / test.groups
    let weights = values.next(test.outputs * perGroup * test.kernel.0 * test.kernel.1)
    let bias = values.next(test.outputs)
    let input = values.next(test.batch * test.channels * test.plane.0 * test.plane.1)
    let window = try Window(
      kernel: test.kernel, stride: test.stride, dilation: test.dilation, edges: test.edges)
    let layer = try Convolution(
      outputChannels: test.outputs, kernelChannels: perGroup, groups: test.groups, window: window,
      weights: weights, bias: bias)
    let (shape, result) = try LayerRun.run(
      layer, on: input, shape: [test.batch, test.channels, test.plane.0, test.plane.1])

    let (top, left) = try (window.rows(on: test.plane.0), window.columns(on: test.plane.1))
    #expect(shape == [test.batch, test.outputs, top.count, left.count])
    var expected: [Float] = []
    for item in 0..<test.batch {
      for output in 0..<test.outputs {
        let group = output / (test.outputs / test.groups)
        for row in 0..<top.count {
          for column in 0..<left.count {
            var sum = Double(bias[output])
            for channel in 0..<perGroup {
              for tapRow in 0..<test.kernel.0 {
                for tapColumn in 0..<test.kernel.1 {
                  let y = row * test.stride.0 + tapRow * test.dilation.0 - top.before
                  let x = column * test.stride.1 + tapColumn * test.dilation.1 - left.before
                  guard (0..<test.plane.0).contains(y), (0..<test.plane.1).contains(x) else {
                    continue
                  }
                  let weight =
                    ((output * perGroup + channel) * test.kernel.0 + tapRow) * test.kernel.1
                    + tapColumn
                  let source =
                    ((item * test.channels + group * perGroup + channel) * test.plane.0 + y)
                    * test.plane.1 + x
                  sum += Double(weights[weight]) * Double(input[source])
                }
              }
            }
            expected.append(Float(sum))
          }
        }
      }
    }
    #expect(LayerRun.difference(result, expected) < 1e-5)
  }

  @Test("sizes that contradict each other are refused")
  func refusals() throws {
    let window = try Window(
      kernel: (3, 1), edges: .explicit(top: 0, bottom: 0, left: 0, right: 0))
    #expect(throws: NetworkError.self) {
      try Convolution(outputChannels: 2, kernelChannels: 2, window: window, weights: [1])
    }
    let layer = try Convolution(
      outputChannels: 1, kernelChannels: 2, window: window,
      weights: [Float](repeating: 0, count: 6))
    #expect(
      LayerRun.refusal(of: layer, shape: [1, 3, 9, 1])
        == "layer “layer” (convolution) takes 2×1 channels but gets a blob of [1, 3, 9, 1]")
    #expect(
      LayerRun.refusal(of: layer, shape: [1, 2, 2, 1])
        == "layer “layer” (convolution) has a kernel of 3 on a padded size of 2")
    #expect(LayerRun.refusal(of: layer, shape: [9]) != nil)
    #expect(throws: NetworkError.self) {
      try Window(kernel: (1, 1), stride: (0, 1), edges: .same(topLeftHeavy: false))
    }
  }
}
