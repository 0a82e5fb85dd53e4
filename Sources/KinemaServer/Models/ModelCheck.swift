import Foundation
import KinemaAction
package import KinemaVideo

/// What a model from outside has to pass before a server loads it: being read and run once, in a child
/// process of ``KinemaVideo/MediaChildren`` that a harmful one may end.
package enum ModelCheck {
  /// The name of ``run`` among the checks of ``KinemaVideo/MediaChild``.
  package static let name = "model"

  /// The child's part; throws what is wrong with the model.
  package static let run: MediaChild.Check = { file, name in
    let classifier = try ActionClassifier(Array(try Data(contentsOf: file)), name: name)
    let count = classifier.windowSize * 3 * classifier.joints.count
    _ = try classifier.predict([Float](repeating: 0, count: count))
  }

  /// Throws ``KinemaVideo/VideoError`` where a model does not pass, or ends the child; nothing without
  /// children.
  static func pass(_ file: URL, as name: String) throws {
    try MediaChildren.shared?.check(file, by: Self.name, as: name)
  }
}
