import Foundation

/// The detections of one person or hand over time.
///
/// A track is `tentative` until it is confirmed with an id, `occluded` while it has no detection,
/// and `lost` when that lasts longer than ``TrackingRules/occlusion``.
package struct Track<Content: Sendable>: Sendable {
  package enum State: Sendable {
    case tentative, confirmed, occluded, lost
  }

  /// The number of the track, which never changes.
  package let key: Int
  /// The id under which the track is reported, once confirmed.
  package internal(set) var id: Int?
  package internal(set) var state = State.tentative
  /// What the owner of the tracker keeps with the track.
  package var content: Content
  package private(set) var motion: TrackMotion
  /// The last detection.
  package private(set) var detection: Detection
  /// The mean appearance.
  package private(set) var appearance: Appearance?
  /// The number of clear detections in the appearance.
  package private(set) var appearanceCount: Float = 0
  /// The probability that it is a right hand.
  package private(set) var rightness: Float?
  /// The number of detections.
  package private(set) var count = 1
  /// The cost of the last detection when it was added.
  private(set) var lastCost: Float = 0
  /// Whether nobody was near the last detection.
  package private(set) var isClear = false
  /// The sum of the negative log probabilities that its detections are false.
  private var evidence: Float
  let rules: TrackingRules

  init(
    _ detection: Detection, content: Content, key: Int, at time: Double, rules: TrackingRules
  ) {
    (self.key, self.content, self.detection, self.rules) = (key, content, detection, rules)
    motion = TrackMotion(detection, at: time, rules: rules)
    (appearance, rightness) = (detection.appearance, detection.rightness)
    evidence = detection.evidence(rules)
  }

  /// When it was last detected, in seconds.
  package var lastSeen: Double { motion.time }
  package var isVisible: Bool { state == .tentative || state == .confirmed }
  /// Whether it was found for long enough to be searched while it is missing.
  package var isEstablished: Bool { count >= rules.establishedCount }
  /// Whether its detections are rarely false, even where limbs of others may look like a body.
  package var isPlain: Bool { evidence >= rules.confirmationEvidence * Float(count) }
  /// Whether it was detected often enough, and among others plainly enough, to be no false one.
  package var isProven: Bool { count >= rules.confirmationCount && (isClear || isPlain) }
  /// Whether the last detection is unlikely to be this track's, though it was clear, or none of its
  /// colours were visible among others: then it may be a mixture of several people.
  package var isUnlikely: Bool { (isClear || isColourless) && lastCost > rules.likelyCost }
  private var isColourless: Bool { appearance != nil && detection.appearance == nil }
  /// Whether the last detection was near others and its appearance is not this track's.
  package private(set) var isUnlikeInCrowd = false

  /// The detection as it is predicted for a time.
  package func predicted(at time: Double) -> Detection {
    detection.moved(to: motion.position(at: time))
  }

  /// The cost of a detection.
  package func cost(of detection: Detection, at time: Double) -> Float {
    TrackCost(of: detection, for: self, at: time).total
  }

  /// The difference of the appearance, from 0 to 1; `nil` if unknown.
  package func appearanceDifference(of detection: Detection) -> Float? {
    guard let appearance, let other = detection.appearance else { return nil }
    return appearance.difference(from: other)
  }

  /// Whether a detection is near the prediction or the last position.
  package func reaches(_ detection: Detection, at time: Double) -> Bool {
    let away = min(
      (detection.position - motion.position(at: time)).length,
      (detection.position - motion.position).length)
    let reach = rules.reach.at + rules.reach.perSecond * Float(time - lastSeen)
    return away < reach * max(motion.size, detection.size)
  }

  /// Whether a detection in another place may be this track's.
  package func admits(_ detection: Detection, at time: Double) -> Bool {
    (appearanceDifference(of: detection) ?? 0) <= rules.otherAppearance
      && abs(log(detection.size / motion.size)) < rules.sizeReach
      && reaches(detection, at: time)
  }

  /// Adds the detection of a frame.
  ///
  /// - Parameter isClear: Whether nobody is near enough to be confused.
  mutating func update(_ detection: Detection, at time: Double, isClear: Bool) {
    let difference = appearanceDifference(of: detection) ?? 0
    isUnlikeInCrowd = !isClear && difference > rules.unlikeAppearance
    lastCost = cost(of: detection, at: time)
    self.isClear = isClear
    let trust = isClear ? 1 : max(rules.leastTrust, 1 - difference / rules.otherAppearance)
    motion.update(detection, at: time, trust: trust)
    if let seen = detection.rightness {
      let weight = max(1 / Float(count + 1), rules.appearanceWeight)
      rightness = (rightness ?? seen) + (seen - (rightness ?? seen)) * weight
    }
    self.detection = detection
    count += 1
    evidence += detection.evidence(rules)
    state = id == nil ? .tentative : .confirmed
    guard isClear, let seen = detection.appearance else { return }
    appearanceCount += 1
    if appearanceCount == 1 || appearance == nil {
      // Earlier samples were partly of another person.
      appearance = seen
    } else {
      let weight = max(1 / appearanceCount, rules.appearanceWeight)
      appearance?.blend(with: seen, weight: weight)
    }
  }
}

extension Detection {
  /// The negative logarithm of the probability that it is false.
  fileprivate func evidence(_ rules: TrackingRules) -> Float {
    -log(max(1 - presence, rules.leastError))
  }
}
