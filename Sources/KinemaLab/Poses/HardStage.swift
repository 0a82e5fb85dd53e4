import Foundation
import KinemaRendering
import KinemaStreams
import KinemaSynth
import KinemaVision

/// What is hard about a synthetic person.
package enum HardView: String, CaseIterable, Codable, Sendable {
  case front, side, back, pushUp, crunch, lying, halfOutside

  var motion: Motion {
    switch self {
    case .front, .side: .squats
    case .back, .halfOutside: .jumpingJacks
    case .pushUp: .pushUps
    case .crunch: .named("crunches") ?? .standing
    case .lying: .named("lying") ?? .standing
    }
  }

  var yawDegrees: Float {
    switch self {
    case .front, .halfOutside: 0
    case .side, .pushUp, .crunch: 90
    case .back: 180
    case .lying: 45
    }
  }
}

/// A synthetic person of a share of the frame's height, somewhere in it.
package struct HardStage {
  private let scene: SyntheticScene
  private let renderer: SyntheticRenderer
  private let aspectRatio: Float

  /// `share` is the standing height at this distance, as a share of the frame's height.
  package init(
    _ view: HardView, share: Float, width: Int, height: Int, seed: UInt64, isEmpty: Bool = false
  ) {
    var generator = SeededGenerator(seed: seed &* 7919)
    let person = SyntheticPerson.random(using: &generator)
    let session = SyntheticSession([.motion(view.motion, seconds: 4)], person: person, seed: seed)
    aspectRatio = Float(width) / Float(height)
    let middle = session.skeleton(at: 0)
    var viewpoint = Viewpoint(target: (middle.root + middle.neck) / 2, yawDegrees: view.yawDegrees)
    let visible = person.stature / share
    viewpoint.distance =
      visible / (2 * tan(viewpoint.verticalFieldOfViewDegrees * .pi / 360))
    // Where the person is moved, in frame heights from the centre.
    var place = SIMD2(
      Float.random(in: -1...1, using: &generator) * max(0, aspectRatio / 2 - 0.6 * share - 0.05),
      Float.random(in: -1...1, using: &generator) * max(0, 0.5 - 0.6 * share - 0.05))
    if view == .halfOutside {
      place.x = (aspectRatio / 2 - 0.02) * (seed % 2 == 0 ? 1 : -1)
    }
    let yaw = view.yawDegrees * .pi / 180
    viewpoint.target -=
      SIMD3(cos(yaw), 0, -sin(yaw)) * (place.x * visible) + SIMD3(0, place.y * visible, 0)
    scene = SyntheticScene(
      [SyntheticScene.Figure(session, appearance: .random(using: &generator))],
      viewpoint: viewpoint)
    let shown = isEmpty ? SyntheticScene([], viewpoint: viewpoint) : scene
    renderer = SyntheticRenderer(shown, width: width, height: height, seed: seed)
  }

  /// The metrics of an extractor on the first frames at 30 fps.
  package func figures(frameCount: Int) async throws -> HardPoseFigures {
    let extractor = HumanBodyPoseExtractor()
    var figures = HardPoseFigures()
    figures.sequenceCount = 1
    for index in 0..<frameCount {
      let time = Double(index) / 30
      let id = TemporalSegmentIdentifier(source: "stage", range: index..<index + 1, timescale: 30)
      let poses = try await extractor.applied(
        to: TemporalFeature(id: id, feature: renderer.frame(at: time))
      ).feature
      figures.add(poses, truth: scene.poses(at: time, aspectRatio: aspectRatio)[0], index: index)
    }
    return figures
  }
}
