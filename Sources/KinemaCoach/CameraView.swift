/// From where a person is seen, by how wide shoulders and hips look.
package enum CameraView: String, CaseIterable, Sendable {
  /// From the front or from behind.
  case front
  case oblique
  case side

  /// The shares of the full width of shoulders and hips from which a view is no longer from the side,
  /// and from which it is from the front: the cosines of 65° and 35°.
  static let shares: (oblique: Float, front: Float) = (0.42, 0.82)

  /// The view of most frames; `nil` where the person is not visible.
  init?(_ track: BodyTrack, _ frames: Range<Int>, _ lengths: BodyLengths) {
    let full = (BodyLengths.widths.shoulders + BodyLengths.widths.hips) * lengths.stature
    var shares: [Float] = []
    for frame in track.frames[frames] {
      guard let a = frame.place(.shoulder(.left)), let b = frame.place(.shoulder(.right)),
        let c = frame.place(.hip(.left)), let d = frame.place(.hip(.right))
      else { continue }
      shares.append(((a - b).length + (c - d).length) / full)
    }
    guard !shares.isEmpty else { return nil }
    shares.sort()
    self = Self(share: shares[shares.count / 2])
  }

  /// - Parameter share: The share of the full width of shoulders and hips.
  package init(share: Float) {
    self = share < Self.shares.oblique ? .side : share < Self.shares.front ? .oblique : .front
  }
}
