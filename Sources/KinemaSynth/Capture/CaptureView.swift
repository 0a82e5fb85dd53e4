import Foundation
import KinemaPose
package import KinemaRandom

/// How a stretch of a recording is filmed.
package struct CaptureView: Sendable {
  /// The share of views of the upper body only, down to the hips.
  package var nearShare: Float = 0.25
  /// The share of views from high above.
  package var highShare: Float = 0.15
  /// The share of views of a camera that pans with the person.
  package var panningShare: Float = 0.35
  /// Whether some people are taken for upright; see ``EstimatorErrors/takesForUpright``.
  package var takesForUpright = true

  package init() {}

  /// The downward angle of a camera that is high above, in radians.
  private static let highPitches: ClosedRange<Float> = 0.35...1.1

  /// What the simulated pose network finds in the stretch from `start`, in seconds: `[frames, 3, 18]`
  /// values, see ``SyntheticMotionSample/values``.
  package func values(
    of motion: CapturedMotion, from start: Double, frameCount: Int, frameRate: Double,
    using generator: inout SeededGenerator
  ) -> [Float] {
    let duration = Double(frameCount) / frameRate
    let pitch = generator.chance(highShare) ? generator.uniform(Self.highPitches) : nil
    let camera = ObservingCamera(
      for: .standing, duration: duration, mayTurn: false, nearShare: nearShare, pitch: pitch,
      using: &generator)
    let pans = generator.chance(panningShare)
    let way = motion.skeleton(at: start + duration).root - motion.skeleton(at: start).root
    var errors = EstimatorErrors.workouts
    errors.takesForUpright = takesForUpright
    var estimator = SimulatedEstimator(errors, using: &generator)
    let times = (0..<frameCount).map { Double($0) / frameRate }
    let views = camera.views(of: SyntheticPerson(stature: motion.stature), at: times) { time in
      let body = motion.skeleton(at: start + time)
      guard pans else { return body }
      let gone = way * Float(time / duration)
      return body.placed(at: SIMD2(-gone.x, -gone.z), headingDegrees: 0)
    }
    return estimator.observed(views, camera: camera)
  }
}
