package import KinemaPose
package import KinemaSynth

/// People in a room, seen by a camera.
package struct SyntheticScene: Sendable {
  package struct Figure: Sendable {
    package var session: SyntheticSession
    package var appearance: SyntheticAppearance
    /// Where on the floor the session's origin is; x and z in metres.
    package var position: SIMD2<Float>
    /// How far the person is turned to their left; at 0 they face z.
    package var headingDegrees: Float
    /// How many seconds into the session the scene begins.
    package var timeOffset: Double
    /// Where on the floor the session's origin goes; takes the place of ``position`` and
    /// ``headingDegrees``.
    package var path: FloorPath?

    /// Puts a person into the room.
    package init(
      _ session: SyntheticSession, appearance: SyntheticAppearance = .plain,
      position: SIMD2<Float> = .zero, headingDegrees: Float = 0, timeOffset: Double = 0,
      path: FloorPath? = nil
    ) {
      self.session = session
      self.appearance = appearance
      self.position = position
      self.headingDegrees = headingDegrees
      self.timeOffset = timeOffset
      self.path = path
    }

    /// The body at a time of the scene, in metres.
    package func skeleton(at time: Double) -> Skeleton {
      let place = path?.place(at: time) ?? (position: position, headingDegrees: headingDegrees)
      return session.skeleton(at: time + timeOffset)
        .placed(at: place.position, headingDegrees: place.headingDegrees)
    }
  }

  /// The people; the first one is person 1.
  package var figures: [Figure]
  /// Where the camera is; with a ``sway`` on average.
  package var viewpoint: Viewpoint
  /// How the camera moves, if it does.
  var sway: CameraSway?
  /// What stands in the room.
  var furniture: [Solid] = []
  /// Hands without people.
  package internal(set) var hands: [SyntheticHand] = []

  package init(_ figures: [Figure], viewpoint: Viewpoint) {
    self.figures = figures
    self.viewpoint = viewpoint
  }

  /// Creates a scene that is always in the frame.
  ///
  /// - Parameters:
  ///   - yawDegrees: See ``Viewpoint/yawDegrees``; by default a good view of the first person.
  ///   - margin: The margin at each edge, as a share of the frame.
  package init(
    framing figures: [Figure], yawDegrees: Float? = nil, pitchDegrees: Float = 6,
    aspectRatio: Float = 4 / 3, margin: Float = 0.08
  ) {
    precondition(!figures.isEmpty, "A scene needs at least one person to frame.")
    self.figures = figures
    let duration = figures.map { $0.session.duration - $0.timeOffset }.max() ?? 0
    let places = stride(from: 0, through: max(duration, 0), by: 0.1).flatMap { time in
      figures.flatMap { $0.skeleton(at: time).extent }
    }
    viewpoint = .framing(
      places,
      yawDegrees: yawDegrees ?? figures[0].session.goodYawDegrees + figures[0].headingDegrees,
      pitchDegrees: pitchDegrees, aspectRatio: aspectRatio, margin: margin)
  }

  /// Where the camera is at a time in seconds.
  package func viewpoint(at time: Double) -> Viewpoint {
    sway?.applied(to: viewpoint, at: time) ?? viewpoint
  }

  /// The exact poses at a time in seconds; ids count from 1 in the order of ``figures``, and then
  /// of ``hands``.
  package func poses(at time: Double, aspectRatio: Float) -> [Pose] {
    let viewpoint = viewpoint(at: time)
    return figures.enumerated().map { index, figure in
      viewpoint.pose(
        of: figure.skeleton(at: time), aspectRatio: aspectRatio, personID: index + 1)
    }
      + hands.enumerated().map { index, hand in
        viewpoint.pose(
          of: zip(JointKey.hand, hand.joints(at: time)), aspectRatio: aspectRatio,
          personID: figures.count + index + 1)
      }
  }

  /// The solids of each person and hand at a time in seconds.
  func solids(at time: Double) -> [[Solid]] {
    figures.map { figure in
      FigureSolids(
        body: figure.skeleton(at: time), person: figure.session.person,
        appearance: figure.appearance
      ).solids
    } + hands.map { $0.solids(at: time) }
  }
}
