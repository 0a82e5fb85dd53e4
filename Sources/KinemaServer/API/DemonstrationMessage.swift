import KinemaSynth

/// How an action is done, for the pages to draw.
struct DemonstrationMessage: Encodable, Sendable {
  var label: String
  var frameRate: Double
  /// x, y and z of each joint in the order of ``KinemaPose/JointKey/body``, a frame each; see
  /// ``KinemaSynth/Demonstration/frames``.
  var frames: [[[Double]]]

  init?(of label: String) {
    guard let demonstration = Demonstration(of: label) else { return nil }
    self.label = label
    frameRate = Demonstration.frameRate
    frames = demonstration.frames.map { joints in
      joints.map { place in
        [place.x, place.y, place.z].map { Double($0).rounded(places: 3) }
      }
    }
  }
}
