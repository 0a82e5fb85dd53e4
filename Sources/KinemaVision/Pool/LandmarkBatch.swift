import Foundation
import KinemaVideo

/// The landmarks of several people of one frame, found by the stream's thread and by idle ones.
///
/// The results do not depend on which thread finds them.
final class LandmarkBatch: @unchecked Sendable {
  private let regions: [Region]
  private let frame: Frame
  let settings: NetworkSettings
  private let condition = NSCondition()
  // Guarded by the condition.
  private var nextIndex = 0
  private var results: [Result<BodyLandmarks?, VisionError>?]

  init(_ regions: [Region], of frame: Frame, settings: NetworkSettings) {
    (self.regions, self.frame, self.settings) = (regions, frame, settings)
    results = Array(repeating: nil, count: regions.count)
  }

  /// Whether regions are left that no thread has taken.
  var isOpen: Bool { condition.withLock { nextIndex < regions.count } }

  /// Finds the people of regions until none is left.
  func work(with networks: inout PoseNetworks) {
    while let index = take() {
      let result = Result { () throws(VisionError) in
        try networks.landmarks(in: regions[index], of: frame)
      }
      condition.withLock {
        results[index] = result
        condition.broadcast()
      }
    }
  }

  /// The landmarks by region, when other threads have found theirs.
  func landmarks() throws(VisionError) -> [BodyLandmarks?] {
    let found = condition.withLock {
      while results.contains(where: { $0 == nil }) { condition.wait() }
      return results.compactMap { $0 }
    }
    var landmarks: [BodyLandmarks?] = []
    for result in found { landmarks.append(try result.get()) }
    return landmarks
  }

  private func take() -> Int? {
    condition.withLock {
      guard nextIndex < regions.count else { return nil }
      defer { nextIndex += 1 }
      return nextIndex
    }
  }
}
