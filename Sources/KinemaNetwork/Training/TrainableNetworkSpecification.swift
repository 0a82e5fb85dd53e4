/// What a network to be trained takes and gives.
package struct TrainableNetworkSpecification: Codable, Hashable, Sendable {
  package var architecture: TrainingArchitecture
  package var windowSize: Int
  /// The joints of a pose: 18 of a body, or 21 of a hand with ``TrainingArchitecture/tcn``.
  package var jointCount: Int
  package var classCount: Int

  /// Creates a specification; ``NetworkTrainer`` checks it.
  package init(
    architecture: TrainingArchitecture, windowSize: Int, jointCount: Int = 18, classCount: Int
  ) {
    self.architecture = architecture
    self.windowSize = windowSize
    self.jointCount = jointCount
    self.classCount = classCount
  }

  /// The longest window: twenty seconds at 120 frames a second.
  static let maximumWindowSize = 2400
  static let maximumClassCount = 4096

  /// The values of a frame: x, y and confidence of each joint.
  var featureCount: Int { 3 * jointCount }

  /// The channels of the compact networks' input: motion, and posture beside it.
  var channelCount: Int { architecture == .posture ? 2 * featureCount : featureCount }

  /// Throws ``NetworkError`` for what cannot be.
  func check() throws {
    let limit = TrainableNetworkSpecification.maximumWindowSize
    guard (1...limit).contains(windowSize) else {
      throw NetworkError(
        .parameters, "a window of \(windowSize) frames is not within 1 to \(limit)")
    }
    let joints = architecture == .stgcn ? [18] : [18, 21]
    guard joints.contains(jointCount) else {
      throw NetworkError(
        .parameters, "poses of \(jointCount) joints do not fit the network “\(architecture)”")
    }
    guard (2...TrainableNetworkSpecification.maximumClassCount).contains(classCount) else {
      throw NetworkError(.parameters, "\(classCount) classes are too few or too many")
    }
  }
}

package enum TrainingArchitecture: String, Codable, Sendable, CaseIterable {
  /// Create ML's body action network: graph convolutions over the joints (Yan et al., *Spatial
  /// Temporal Graph Convolutional Networks*, AAAI 2018), about a million weights.
  case stgcn
  /// A compact network of convolutions over time, about 80,000 weights, which
  /// normalises the window's place and size first.
  case tcn
  /// The same, wider, with every frame's posture beside the motion: about 250,000 weights, for many
  /// classes that differ in how people hold themselves.
  case posture
}
