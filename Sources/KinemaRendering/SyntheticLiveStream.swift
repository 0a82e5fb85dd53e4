package import Foundation
package import KinemaSynth
package import KinemaVideo

/// A synthetic person exercising endlessly: a live source without a camera.
///
/// Jumping jacks, squats and lunges follow each other with rests, varied each time. The same seed
/// gives the same frames; they repeat after about an hour.
package struct SyntheticLiveStream: Sendable {
  package let session: SyntheticSession
  package let frameRate: Double
  package var scene: SyntheticScene { renderer.scene }
  private let renderer: SyntheticRenderer
  private var index = 0

  /// The exercises in turn, with how often each is done.
  private static let sets: [(motion: Motion, repetitions: ClosedRange<Int>)] = [
    (.jumpingJacks, 10...14), (.squats, 6...10), (.lunges, 6...10),
  ]
  /// The number of rounds before the frames repeat.
  private static let roundCount = 50
  /// How long the person rests between two sets, in seconds.
  private static let rest = 4.0

  /// Creates a person and their exercises; the seed determines everything, width and height are in
  /// pixels.
  package init(
    seed: UInt64 = 1, width: Int = 640, height: Int = 480, frameRate: Double = 30
  ) {
    precondition(frameRate > 0, "A frame rate must be above zero.")
    var generator = SeededGenerator(seed: seed)
    let person = SyntheticPerson.random(using: &generator)
    let appearance = SyntheticAppearance.random(using: &generator)
    let parts = (0..<Self.roundCount).flatMap { _ in
      Self.sets.flatMap { set in
        let count = generator.uniform(
          Float(set.repetitions.lowerBound)...Float(set.repetitions.upperBound))
        return [
          SyntheticSession.Part.standing(seconds: Self.rest),
          .motion(set.motion, repetitions: Int(count.rounded())),
        ]
      }
    }
    session = SyntheticSession(parts, person: person, seed: seed)
    self.frameRate = frameRate
    // A few rounds show how much room the person takes.
    let start = SyntheticSession(
      Array(parts.prefix(4 * Self.sets.count)), person: person, seed: seed)
    let aspectRatio = Float(width) / Float(height)
    let viewpoint = Viewpoint.framing(start, aspectRatio: aspectRatio, margin: 0.1)
    let figure = SyntheticScene.Figure(session, appearance: appearance)
    renderer = SyntheticRenderer(
      SyntheticScene([figure], viewpoint: viewpoint), width: width, height: height, seed: seed)
  }

  /// The frame at a time, in seconds from the start.
  package func frame(at time: Double) -> Frame {
    renderer.frame(at: time.truncatingRemainder(dividingBy: session.duration))
  }

  /// A reader of such a person, in real time.
  package static func reader(
    seed: UInt64 = 1, width: Int = 640, height: Int = 480, frameRate: Double = 30
  ) -> LiveVideoReader {
    LiveVideoReader(name: "The synthetic person") {
      SyntheticLiveStream(seed: seed, width: width, height: height, frameRate: frameRate)
    }
  }
}

extension SyntheticLiveStream: LiveFrameStream {
  package var isPaced: Bool { true }

  package mutating func next() -> (frame: Frame, stamp: TimeInterval?)? {
    let time = TimeInterval(index) / frameRate
    index += 1
    return (frame(at: time), time)
  }
}
