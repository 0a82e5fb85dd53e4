import Foundation

/// The dissimilarity of a detection and a track, as negative log likelihoods from 0.
package struct TrackCost: Hashable, Sendable {
  /// The distance from the predicted position.
  package private(set) var place: Float = 0
  /// The ratio of the sizes.
  package private(set) var size: Float = 0
  /// The change of the pose since the last detection.
  package private(set) var shape: Float = 0
  /// The difference of the colours, or of left and right hand.
  package private(set) var appearance: Float = 0

  /// The sum, with all parts taken to be independent.
  package var total: Float { place + size + shape + appearance }

  package init<Content>(of detection: Detection, for track: Track<Content>, at time: Double) {
    let rules = track.rules
    func gaussian(_ residual: Float, _ spread: Float, atMost limit: Float) -> Float {
      min(residual * residual / (spread * spread) / 2, limit)
    }
    place = track.motion.cost(of: detection, at: time)
    size = gaussian(
      log(detection.size / track.motion.size), rules.sizeSpread, atMost: rules.limits.size)
    if time - track.lastSeen <= rules.shapeMemory,
      let difference = detection.difference(from: track.detection.shape, rules: rules)
    {
      shape = gaussian(difference, rules.shapeSpread, atMost: rules.limits.shape)
    }
    if let difference = track.appearanceDifference(of: detection) {
      appearance = rules.appearanceCost(difference)
    }
    if let rightness = detection.rightness, let own = track.rightness {
      let same = rightness * own + (1 - rightness) * (1 - own)
      appearance += min(-log(max(same, rules.leastError)), rules.limits.appearance)
    }
  }
}
