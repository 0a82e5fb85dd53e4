import Kinema
import KinemaRendering
import KinemaSynth

struct SynthOptions: OptionGroup {
  @Option("LIST", "The motions in order, separated by commas.")
  var actions: MotionList?
  @Option("N", "Repetitions of each motion (default 5).", 1...1000)
  var repetitions: Int?
  @Option("SECONDS", "The duration of a repetition (default: typical).", 0.2...30)
  var tempo: Double?
  @Option("WxH", "The size of the frames.")
  var size = PictureSize(width: 640, height: 480)
  @Option("N", "Frames per second.", 1...240)
  var fps = 30.0
  @Option("DEGREES", "The camera's angle: 0 front, 90 left, 180 back.", -360...360)
  var yaw: Double?
  @Option("N", "The number of people side by side (default 1).", 1...4)
  var people: Int?
  @Option("N", "Seed of the person.")
  var seed: UInt64 = 1

  static let defaultMotions: [Motion] = [
    .jumpingJacks, .lunges, .burpees, .squats, .pushUps, .standing,
  ]

  /// The end of a sentence about an unknown name.
  static func hint(for name: String, among others: [String]) -> String {
    let names = others + Motion.library.map(\.name)
    return Spelling.nearest(to: name, among: names).map { "; did you mean \($0)?" }
      ?? "; kinema synth --list shows them all."
  }

  /// The people, the first one in front of the camera's middle or furthest left.
  private var figures: [SyntheticScene.Figure] {
    let count = people ?? 1
    return (0..<count).map { index in
      var generator = SeededGenerator(seed: seed &+ UInt64(index) &* 1_000_003)
      let person = SyntheticPerson.random(using: &generator)
      let appearance = SyntheticAppearance.random(using: &generator)
      let session = SyntheticSession(parts, person: person, seed: generator.next())
      let place = (Float(index) - Float(count - 1) / 2) * 2
      return SyntheticScene.Figure(session, appearance: appearance, position: SIMD2(place, 0))
    }
  }

  var scene: SyntheticScene {
    SyntheticScene(framing: figures, yawDegrees: yaw.map { Float($0) }, aspectRatio: aspectRatio)
  }

  var aspectRatio: Float { Float(size.width) / Float(size.height) }

  private var parts: [SyntheticSession.Part] {
    let repetitions = repetitions ?? 5
    return (actions?.motions ?? Self.defaultMotions).map { motion in
      guard motion != .standing else {
        return .standing(seconds: (tempo ?? 1) * Double(repetitions)).irregular()
      }
      let part = SyntheticSession.Part.motion(
        motion, repetitions: repetitions, repetitionDuration: tempo)
      return Motion.idle.contains(motion) ? part.irregular() : part
    }
  }
}

struct MotionList: OptionValue {
  let motions: [Motion]
  static var kind: OptionKind { .text }
  static func value(of text: String, within limits: ClosedRange<Int>?) throws -> MotionList? {
    let motions = try text.split(separator: ",").map { name in
      guard let motion = Motion.named(String(name)) else {
        throw UsageError(
          "There is no motion \(name)\(SynthOptions.hint(for: String(name), among: []))")
      }
      guard motion.showsPerson else {
        throw UsageError(
          "The motion \(name) shows no person; it goes with --dataset, as one of the --labels.")
      }
      return motion
    }
    guard !motions.isEmpty else { throw UsageError("--actions names no motion.") }
    return MotionList(motions: motions)
  }
}

struct PictureSize: OptionValue {
  let width: Int
  let height: Int
  static var kind: OptionKind { .text }
  static func value(of text: String, within limits: ClosedRange<Int>?) -> PictureSize? {
    let size = text.split(separator: "x").map { Int($0) ?? 0 }
    guard size.count == 2, size.allSatisfy({ (32...4096).contains($0) && $0 % 2 == 0 }) else {
      return nil
    }
    return PictureSize(width: size[0], height: size[1])
  }
  static func expectation(within limits: ClosedRange<Int>?) -> String {
    "two even numbers from 32 to 4096, such as 640x480"
  }
  var text: String { "\(width)x\(height)" }
}
