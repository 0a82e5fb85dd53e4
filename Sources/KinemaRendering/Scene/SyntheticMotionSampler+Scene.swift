package import KinemaSynth

extension SyntheticMotionSampler {
  /// The same person and motion from a similar direction, as a scene of ``duration`` to render;
  /// empty without a person.
  package func scene(_ index: Int, aspectRatio: Float = 4 / 3) -> SyntheticScene {
    let take = take(index)
    var generator = take.generator
    let camera = ObservingCamera(for: take, using: &generator)
    let moments = stride(from: 0, through: camera.framedShare * duration, by: 0.1)
    let places = moments.flatMap { time -> [Vector] in
      let body = take.skeleton(at: time)
      return camera.showsUpperBody
        ? [body.head + body.headUp * 0.15, body.nose, body.left.elbow, body.right.elbow, body.neck]
        : body.extent
    }
    let viewpoint = Viewpoint.framing(
      places, yawDegrees: camera.yaw * 180 / .pi, pitchDegrees: camera.pitch * 180 / .pi,
      aspectRatio: aspectRatio, margin: generator.uniform(0.03...0.15))
    guard take.motion.showsPerson else { return SyntheticScene([], viewpoint: viewpoint) }
    let appearance = SyntheticAppearance.random(using: &generator)
    let figure = SyntheticScene.Figure(take.session, appearance: appearance, timeOffset: take.start)
    return SyntheticScene([figure], viewpoint: viewpoint)
  }
}
