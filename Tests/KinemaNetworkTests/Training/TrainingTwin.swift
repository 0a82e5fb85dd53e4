import Foundation
import KinemaNetwork

/// The reference of the networks in training: in Float64, layer by layer in Create ML's order, without any
/// of the trainer's shortcuts.
///
/// It gives the mean loss of a batch by the batch's statistics, without dropout.
struct TrainingTwin {
  let specification: TrainableNetworkSpecification
  let taps: Int
  /// Channels, stride and whether there is a residual, block by block.
  let blocks: [(channels: Int, stride: Int, hasResidual: Bool)]
  let smoothing: Double
  private let ranges: [String: Range<Int>]

  init(
    _ trainer: NetworkTrainer, taps: Int,
    blocks: [(channels: Int, stride: Int, hasResidual: Bool)]
  ) {
    specification = trainer.specification
    self.taps = taps
    self.blocks = blocks
    smoothing = Double(trainer.options.labelSmoothing)
    ranges = Dictionary(uniqueKeysWithValues: trainer.tensors.map { ($0.name, $0.range) })
  }

  /// A blob [samples][channels][frames][joints].
  private struct Blob {
    var samples: Int
    var channels: Int
    var frames: Int
    var joints: Int
    var values: [Double]

    init(_ samples: Int, _ channels: Int, _ frames: Int, _ joints: Int) {
      self.samples = samples
      self.channels = channels
      self.frames = frames
      self.joints = joints
      values = [Double](repeating: 0, count: samples * channels * frames * joints)
    }

    subscript(sample: Int, channel: Int, frame: Int, joint: Int) -> Double {
      get { values[((sample * channels + channel) * frames + frame) * joints + joint] }
      set { values[((sample * channels + channel) * frames + frame) * joints + joint] = newValue }
    }
  }

  /// The mean loss of a batch of windows [n][frames][3][joints].
  func loss(weights: [Double], windows: [Float], labels: [Int]) -> Double {
    func tensor(_ name: String) -> ArraySlice<Double> {
      guard let range = ranges[name] else { preconditionFailure("there is no tensor \(name)") }
      let slice = weights[range]
      return slice
    }
    func normalize(_ blob: Blob, _ name: String) -> Blob {
      normalized(
        blob, Array(tensor(name + ".gamma")), Array(tensor(name + ".beta")))
    }
    var blob = entrance(
      windows, labels.count, Array(tensor("input.normalization.gamma")),
      Array(tensor("input.normalization.beta")))
    for (index, block) in blocks.enumerated() {
      let name = "block\(index)"
      let source = blob
      if specification.architecture == .stgcn {
        blob = spatial(
          blob, Array(tensor(name + ".spatial.weights")), Array(tensor(name + ".spatial.bias")),
          block.channels)
        blob = normalize(blob, name + ".spatial.normalization")
        blob.values = blob.values.map { max(0, $0) }
      }
      blob = temporal(blob, Array(tensor(name + ".temporal.weights")), block.channels, block.stride)
      blob = normalize(blob, name + ".temporal.normalization")
      if block.hasResidual {
        var other = source
        if source.channels != block.channels || block.stride != 1 {
          other = projected(
            source, Array(tensor(name + ".residual.weights")), block.channels, block.stride)
          other = normalize(other, name + ".residual.normalization")
        }
        for place in blob.values.indices { blob.values[place] += other.values[place] }
      }
      blob.values = blob.values.map { max(0, $0) }
    }
    return crossEntropy(blob, Array(tensor("head.weights")), Array(tensor("head.bias")), labels)
  }

  private func entrance(
    _ windows: [Float], _ samples: Int, _ gamma: [Double], _ beta: [Double]
  ) -> Blob {
    let (frames, joints) = (specification.windowSize, specification.jointCount)
    var flat = Blob(samples, 3 * joints, frames, 1)
    for sample in 0..<samples {
      for frame in 0..<frames {
        for feature in 0..<(3 * joints) {
          flat[sample, feature, frame, 0] = Double(
            windows[(sample * frames + frame) * 3 * joints + feature])
        }
      }
    }
    if specification.architecture == .tcn {
      for sample in 0..<samples {
        var squares = 0.0
        for feature in 0..<(3 * joints) {
          let factor = feature >= 2 * joints ? 0.1 : 1
          var mean = 0.0
          for frame in 0..<frames { mean += flat[sample, feature, frame, 0] / Double(frames) }
          for frame in 0..<frames {
            flat[sample, feature, frame, 0] = factor * (flat[sample, feature, frame, 0] - mean)
            squares += flat[sample, feature, frame, 0] * flat[sample, feature, frame, 0]
          }
        }
        let size = sqrt(Double(2 * joints * frames)) / sqrt(squares + 1e-6)
        for feature in 0..<(3 * joints) {
          for frame in 0..<frames { flat[sample, feature, frame, 0] *= size }
        }
      }
      return normalized(flat, gamma, beta)
    }
    let normal = normalized(flat, gamma, beta)
    var result = Blob(samples, 3, frames, joints)
    for sample in 0..<samples {
      for frame in 0..<frames {
        for feature in 0..<(3 * joints) {
          result[sample, feature / joints, frame, feature % joints] =
            normal[sample, feature, frame, 0]
        }
      }
    }
    return result
  }

  private func normalized(_ blob: Blob, _ gamma: [Double], _ beta: [Double]) -> Blob {
    var result = blob
    let count = Double(blob.samples * blob.frames * blob.joints)
    let plane = blob.frames * blob.joints
    for channel in 0..<blob.channels {
      let starts = (0..<blob.samples).map { ($0 * blob.channels + channel) * plane }
      var mean = 0.0
      for start in starts { for place in 0..<plane { mean += blob.values[start + place] } }
      mean /= count
      var variance = 0.0
      for start in starts {
        for place in 0..<plane {
          let difference = blob.values[start + place] - mean
          variance += difference * difference
        }
      }
      let factor = gamma[channel] / sqrt(variance / count + 1e-5)
      for start in starts {
        for place in 0..<plane {
          result.values[start + place] =
            (blob.values[start + place] - mean) * factor + beta[channel]
        }
      }
    }
    return result
  }

  /// A product over channels to three parts, then the fixed sum over parts and joints.
  private func spatial(_ blob: Blob, _ weights: [Double], _ bias: [Double], _ channels: Int) -> Blob
  {
    var result = Blob(blob.samples, channels, blob.frames, blob.joints)
    for sample in 0..<blob.samples {
      for frame in 0..<blob.frames {
        for part in 0..<3 {
          for channel in 0..<channels {
            var row = [Double](repeating: bias[part * channels + channel], count: blob.joints)
            for input in 0..<blob.channels {
              let weight = weights[(part * blob.channels + input) * channels + channel]
              for joint in 0..<blob.joints {
                row[joint] += weight * blob[sample, input, frame, joint]
              }
            }
            for (target, sources) in Self.adjacency[part] {
              for (source, factor) in sources {
                result[sample, channel, frame, target] += factor * row[source]
              }
            }
          }
        }
      }
    }
    return result
  }

  /// Per part: each joint and the joints that reach it with their factors.
  private static let adjacency: [[(Int, [(Int, Double)])]] = {
    let edges = [
      (0, 1), (1, 2), (2, 3), (3, 4), (1, 5), (5, 6), (6, 7), (2, 8), (8, 9), (9, 10), (5, 11),
      (11, 12), (12, 13), (0, 14), (0, 15), (14, 16), (15, 17),
    ]
    var near = [[Int]](repeating: [], count: 18)
    for (first, second) in edges {
      near[first].append(second)
      near[second].append(first)
    }
    let hops = (0..<18).map { $0 == 1 ? 0 : near[1].contains($0) ? 1 : Int.max }
    // 1 / 4, 1 / 3 and so on with four decimals, in Float32, as stored.
    let factors = near.map { Double(Float((10_000 / Float($0.count + 1)).rounded() / 10_000)) }
    return [
      (0..<18).map { ($0, [($0, factors[$0])]) },
      (0..<18).map { joint in
        (joint, near[joint].filter { hops[$0] >= hops[joint] }.map { ($0, factors[joint]) })
      },
      (0..<18).map { joint in
        (joint, near[joint].filter { hops[$0] < hops[joint] }.map { ($0, factors[joint]) })
      },
    ]
  }()

  private func temporal(_ blob: Blob, _ weights: [Double], _ channels: Int, _ stride: Int) -> Blob {
    let frames = (blob.frames + stride - 1) / stride
    var result = Blob(blob.samples, channels, frames, blob.joints)
    for sample in 0..<blob.samples {
      for channel in 0..<channels {
        for frame in 0..<frames {
          for tap in 0..<taps {
            let time = frame * stride + tap - (taps - 1) / 2
            guard time >= 0, time < blob.frames else { continue }
            for input in 0..<blob.channels {
              let weight = weights[(tap * blob.channels + input) * channels + channel]
              let from = ((sample * blob.channels + input) * blob.frames + time) * blob.joints
              let to = ((sample * channels + channel) * frames + frame) * blob.joints
              for joint in 0..<blob.joints {
                result.values[to + joint] += weight * blob.values[from + joint]
              }
            }
          }
        }
      }
    }
    return result
  }

  private func projected(_ blob: Blob, _ weights: [Double], _ channels: Int, _ stride: Int) -> Blob
  {
    let frames = (blob.frames + stride - 1) / stride
    var result = Blob(blob.samples, channels, frames, blob.joints)
    for sample in 0..<blob.samples {
      for channel in 0..<channels {
        for frame in 0..<frames {
          for input in 0..<blob.channels {
            let weight = weights[input * channels + channel]
            for joint in 0..<blob.joints {
              result[sample, channel, frame, joint] +=
                weight * blob[sample, input, frame * stride, joint]
            }
          }
        }
      }
    }
    return result
  }

  private func crossEntropy(
    _ blob: Blob, _ weights: [Double], _ bias: [Double], _ labels: [Int]
  ) -> Double {
    let classes = specification.classCount
    let plane = blob.frames * blob.joints
    var loss = 0.0
    for sample in 0..<blob.samples {
      var scores = bias
      for channel in 0..<blob.channels {
        let start = (sample * blob.channels + channel) * plane
        let mean = blob.values[start..<(start + plane)].reduce(0, +) / Double(plane)
        for index in 0..<classes { scores[index] += weights[channel * classes + index] * mean }
      }
      let total = log(scores.reduce(0) { $0 + exp($1) })
      for index in 0..<classes {
        let share =
          (index == labels[sample] ? 1 - smoothing : 0) + smoothing / Double(classes)
        loss += share * (total - scores[index])
      }
    }
    return loss / Double(blob.samples)
  }
}
