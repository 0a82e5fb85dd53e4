import Foundation
import KinemaNetwork

/// The reference of the networks in training: in Float64, layer by layer in the order of the exported ones, without any
/// of the trainer's shortcuts.
///
/// It gives the mean loss of a batch by the batch's statistics, without dropout.
struct TrainingTwin {
  let specification: TrainableNetworkSpecification
  let taps: Int
  /// Channels, stride and whether there is a residual, block by block.
  let blocks: [(channels: Int, stride: Int, hasResidual: Bool)]
  let smoothing: Double
  /// What the graph network mixes points by.
  let parts: [[PointGraph.Part]]
  private let ranges: [String: Range<Int>]

  init(
    _ trainer: NetworkTrainer, taps: Int,
    blocks: [(channels: Int, stride: Int, hasResidual: Bool)],
    parts: [[PointGraph.Part]] = TestGraph.large
  ) {
    self.parts = parts
    specification = trainer.specification
    self.taps = taps
    self.blocks = blocks
    smoothing = Double(trainer.options.labelSmoothing)
    ranges = Dictionary(uniqueKeysWithValues: trainer.tensors.map { ($0.name, $0.range) })
  }

  /// A blob [samples][channels][frames][points].
  private struct Blob {
    var samples: Int
    var channels: Int
    var frames: Int
    var points: Int
    var values: [Double]

    init(_ samples: Int, _ channels: Int, _ frames: Int, _ points: Int) {
      self.samples = samples
      self.channels = channels
      self.frames = frames
      self.points = points
      values = [Double](repeating: 0, count: samples * channels * frames * points)
    }

    subscript(sample: Int, channel: Int, frame: Int, point: Int) -> Double {
      get { values[((sample * channels + channel) * frames + frame) * points + point] }
      set { values[((sample * channels + channel) * frames + frame) * points + point] = newValue }
    }
  }

  /// The mean loss of a batch of windows [n][frames][3][points].
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
    let (frames, points) = (specification.windowSize, specification.pointCount)
    var flat = Blob(samples, 3 * points, frames, 1)
    for sample in 0..<samples {
      for frame in 0..<frames {
        for feature in 0..<(3 * points) {
          flat[sample, feature, frame, 0] = Double(
            windows[(sample * frames + frame) * 3 * points + feature])
        }
      }
    }
    if specification.architecture == .tcn {
      for sample in 0..<samples {
        var squares = 0.0
        for feature in 0..<(3 * points) {
          let factor = feature >= 2 * points ? 0.1 : 1
          var mean = 0.0
          for frame in 0..<frames { mean += flat[sample, feature, frame, 0] / Double(frames) }
          for frame in 0..<frames {
            flat[sample, feature, frame, 0] = factor * (flat[sample, feature, frame, 0] - mean)
            squares += flat[sample, feature, frame, 0] * flat[sample, feature, frame, 0]
          }
        }
        let size = sqrt(Double(2 * points * frames)) / sqrt(squares + 1e-6)
        for feature in 0..<(3 * points) {
          for frame in 0..<frames { flat[sample, feature, frame, 0] *= size }
        }
      }
      return normalized(flat, gamma, beta)
    }
    let normal = normalized(flat, gamma, beta)
    var result = Blob(samples, 3, frames, points)
    for sample in 0..<samples {
      for frame in 0..<frames {
        for feature in 0..<(3 * points) {
          result[sample, feature / points, frame, feature % points] =
            normal[sample, feature, frame, 0]
        }
      }
    }
    return result
  }

  private func normalized(_ blob: Blob, _ gamma: [Double], _ beta: [Double]) -> Blob {
    var result = blob
    let count = Double(blob.samples * blob.frames * blob.points)
    let plane = blob.frames * blob.points
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

  /// A product over channels to three parts, then the fixed sum over parts and points.
  private func spatial(_ blob: Blob, _ weights: [Double], _ bias: [Double], _ channels: Int) -> Blob
  {
    var result = Blob(blob.samples, channels, blob.frames, blob.points)
    for sample in 0..<blob.samples {
      for frame in 0..<blob.frames {
        for part in parts[0].indices {
          for channel in 0..<channels {
            var row = [Double](repeating: bias[part * channels + channel], count: blob.points)
            for input in 0..<blob.channels {
              let weight = weights[(part * blob.channels + input) * channels + channel]
              for point in 0..<blob.points {
                row[point] += weight * blob[sample, input, frame, point]
              }
            }
            for (target, parts) in parts.enumerated() {
              for source in parts[part].sources {
                result[sample, channel, frame, target] += Double(parts[part].factor) * row[source]
              }
            }
          }
        }
      }
    }
    return result
  }

  private func temporal(_ blob: Blob, _ weights: [Double], _ channels: Int, _ stride: Int) -> Blob {
    let frames = (blob.frames + stride - 1) / stride
    var result = Blob(blob.samples, channels, frames, blob.points)
    for sample in 0..<blob.samples {
      for channel in 0..<channels {
        for frame in 0..<frames {
          for tap in 0..<taps {
            let time = frame * stride + tap - (taps - 1) / 2
            guard time >= 0, time < blob.frames else { continue }
            for input in 0..<blob.channels {
              let weight = weights[(tap * blob.channels + input) * channels + channel]
              let from = ((sample * blob.channels + input) * blob.frames + time) * blob.points
              let to = ((sample * channels + channel) * frames + frame) * blob.points
              for point in 0..<blob.points {
                result.values[to + point] += weight * blob.values[from + point]
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
    var result = Blob(blob.samples, channels, frames, blob.points)
    for sample in 0..<blob.samples {
      for channel in 0..<channels {
        for frame in 0..<frames {
          for input in 0..<blob.channels {
            let weight = weights[input * channels + channel]
            for point in 0..<blob.points {
              result[sample, channel, frame, point] +=
                weight * blob[sample, input, frame * stride, point]
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
    let plane = blob.frames * blob.points
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
