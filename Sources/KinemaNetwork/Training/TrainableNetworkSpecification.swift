/// What a network to be trained takes and gives.
package struct TrainableNetworkSpecification: Hashable, Sendable {
  package var architecture: TrainingArchitecture
  package var windowSize: Int
  /// The points of a frame, of each of which there are x, y and confidence.
  package var pointCount: Int
  package var classCount: Int
  /// What ``TrainingArchitecture/stgcn`` mixes points by; the others take none.
  package let graph: PointGraph?

  /// Creates a specification; ``NetworkTrainer`` checks it.
  package init(
    architecture: TrainingArchitecture, windowSize: Int, pointCount: Int, classCount: Int,
    graph: PointGraph? = nil
  ) {
    self.architecture = architecture
    self.windowSize = windowSize
    self.pointCount = pointCount
    self.classCount = classCount
    self.graph = architecture == .stgcn ? graph : nil
  }

  /// The longest window: twenty seconds at 120 frames a second.
  static let maximumWindowSize = 2400
  static let maximumPointCount = 256
  static let maximumClassCount = 4096

  /// The values of a frame: x, y and confidence of each point.
  var featureCount: Int { 3 * pointCount }

  /// The channels of the compact networks' input: motion, and posture beside it.
  var channelCount: Int { architecture == .posture ? 2 * featureCount : featureCount }

  /// Throws ``NetworkError`` for what cannot be.
  func check() throws {
    let limit = TrainableNetworkSpecification.maximumWindowSize
    guard (1...limit).contains(windowSize) else {
      throw NetworkError(
        .parameters, "a window of \(windowSize) frames is not within 1 to \(limit)")
    }
    try graph?.check()
    guard (1...Self.maximumPointCount).contains(pointCount),
      architecture != .stgcn || graph?.pointCount == pointCount
    else {
      throw NetworkError(
        .parameters, "frames of \(pointCount) points do not fit the network “\(architecture)”")
    }
    guard (2...TrainableNetworkSpecification.maximumClassCount).contains(classCount) else {
      throw NetworkError(.parameters, "\(classCount) classes are too few or too many")
    }
  }
}

package enum TrainingArchitecture: String, Codable, Sendable, CaseIterable {
  /// A graph network: graph convolutions over the points (Yan et al., *Spatial Temporal Graph
  /// Convolutional Networks*, AAAI 2018), about a million weights.
  case stgcn
  /// A compact network of convolutions over time, about 80,000 weights, which
  /// normalises the window's place and size first.
  case tcn
  /// The same, wider, with every frame's posture beside the motion: about 250,000 weights, for many
  /// classes that differ in how people hold themselves.
  case posture
}
