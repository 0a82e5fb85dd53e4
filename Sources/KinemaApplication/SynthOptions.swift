import Kinema
import KinemaRendering
import KinemaSynth

struct SynthOptions: Sendable {
  /// What is done in a session, in order.
  let motions: [Motion]
  let repetitions: Int
  let tempo: Double?
  let width: Int
  let height: Int
  let frameRate: Double
  let yawDegrees: Float?
  let peopleCount: Int
  let seed: UInt64

  static let defaultMotions: [Motion] = [
    .jumpingJacks, .lunges, .burpees, .squats, .pushUps, .standing,
  ]

  init(_ arguments: Arguments) throws {
    let names = arguments.value("actions")?.split(separator: ",").map(String.init)
    motions = try names.map { try $0.map(Self.motion) } ?? Self.defaultMotions
    guard !motions.isEmpty else { throw UsageError("--actions names no motion.") }
    repetitions = try arguments.integer("repetitions", within: 1...1000) ?? 5
    tempo = try arguments.number("tempo", within: 0.2...30)
    frameRate = try arguments.number("fps", within: 1...240) ?? 30
    yawDegrees = try arguments.number("yaw", within: -360...360).map(Float.init)
    peopleCount = try arguments.integer("people", within: 1...4) ?? 1
    seed = try arguments.seed() ?? 1
    let size = (arguments.value("size") ?? "640x480").split(separator: "x").map { Int($0) ?? 0 }
    guard size.count == 2, size.allSatisfy({ (32...4096).contains($0) && $0 % 2 == 0 }) else {
      throw UsageError("--size takes two even numbers from 32 to 4096, such as 640x480.")
    }
    (width, height) = (size[0], size[1])
  }

  private static func motion(_ name: String) throws -> Motion {
    guard let motion = Motion.named(name), motion.showsPerson else {
      throw UsageError("There is no motion \(name)\(hint(for: name, among: []))")
    }
    return motion
  }

  /// The end of a sentence about an unknown name.
  static func hint(for name: String, among others: [String]) -> String {
    let names = others + Motion.library.map(\.name)
    return Arguments.nearest(to: name, among: names).map { "; did you mean \($0)?" }
      ?? "; kinema synth --list shows them all."
  }

  /// The people, the first one in front of the camera's middle or furthest left.
  var figures: [SyntheticScene.Figure] {
    (0..<peopleCount).map { index in
      var generator = SeededGenerator(seed: seed &+ UInt64(index) &* 1_000_003)
      let person = SyntheticPerson.random(using: &generator)
      let appearance = SyntheticAppearance.random(using: &generator)
      let session = SyntheticSession(parts, person: person, seed: generator.next())
      let place = (Float(index) - Float(peopleCount - 1) / 2) * 2
      return SyntheticScene.Figure(session, appearance: appearance, position: SIMD2(place, 0))
    }
  }

  var scene: SyntheticScene {
    SyntheticScene(framing: figures, yawDegrees: yawDegrees, aspectRatio: aspectRatio)
  }

  var aspectRatio: Float { Float(width) / Float(height) }

  private var parts: [SyntheticSession.Part] {
    motions.map { motion in
      guard motion != .standing else {
        return .standing(seconds: (tempo ?? 1) * Double(repetitions)).irregular()
      }
      let part = SyntheticSession.Part.motion(
        motion, repetitions: repetitions, repetitionDuration: tempo)
      return Motion.idle.contains(motion) ? part.irregular() : part
    }
  }
}
