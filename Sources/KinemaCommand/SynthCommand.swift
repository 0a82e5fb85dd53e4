import Foundation
import Kinema

/// `kinema synth`: renders a synthetic person doing exercises.
enum SynthCommand: Command {
  static let name = "synth"
  static let abstract = "Render a synthetic person doing exercises, with exact labels and poses."
  static let operands = "--output VIDEO.mp4 [--actions LIST] [--repetitions N]"
  static var discussion: String {
    """
    Everything is drawn from the seed: build, clothes, tempo and style. The exercises are
    \(Exercise.allCases.map(\.rawValue).joined(separator: ", ")). On the way from one to the next the
    label is "transition".
    """
  }
  static let examples: [(line: String, meaning: String)] = [
    ("kinema synth --output people.mp4", "Every exercise once, a few repetitions each."),
    (
      "kinema synth --output jacks.mp4 --actions jumping_jacks --repetitions 10 --seed 7",
      "Ten jumping jacks by person number 7."
    ),
    (
      "kinema synth --output squats.mp4 --actions squats,standing,squats --poses squats.npz "
        + "--labels squats.csv",
      "A set, a rest, a set; with the exact poses and a row for each stretch of time."
    ),
  ]
  static let options = [
    Option("output", value: "VIDEO", "The video to write (.mp4)."),
    Option("poses", value: "FILE", "Also write the exact poses (.npz or .jsonl)."),
    Option(
      "labels", value: "FILE",
      "Also write what is done when (.csv): file_name,label,start_time,end_time,repetitions."),
    Option("actions", value: "LIST", "What is done, in order, separated by commas."),
    Option("repetitions", value: "N", "Repetitions of each exercise (default 5)."),
    Option("tempo", value: "SECONDS", "The length of a repetition; by default what is typical."),
    Option("size", value: "WxH", "The size of the picture (default 640x480)."),
    Option("fps", value: "N", "Frames per second (default 30)."),
    Option(
      "yaw", value: "DEGREES", "The camera's way round the person: 0 front, 90 left, 180 back."),
    Option(
      "people", value: "N", "How many people do it side by side, each in their way (default 1)."),
    Option(
      "model", value: "FILE",
      "Also fit a starter model on synthetic people doing these exercises (.mlmodel)."),
    Option("seed", value: "N", "Another number, another person (default 1)."),
  ]

  /// The wishes that the options state.
  private struct Wish {
    let exercises: [Exercise]
    let repetitions: Int
    let tempo: Double?
    let width: Int
    let height: Int
    let frameRate: Double
    let yawDegrees: Float?
    let peopleCount: Int
    let seed: UInt64

    init(_ arguments: Arguments) throws {
      let names = arguments.value("actions")?.split(separator: ",").map(String.init)
      exercises = try names.map { try $0.map(Self.exercise) } ?? Exercise.allCases
      guard !exercises.isEmpty else { throw UsageError("--actions names no exercise.") }
      repetitions = try arguments.integer("repetitions", within: 1...1000) ?? 5
      tempo = try arguments.number("tempo", within: 0.2...30)
      frameRate = try arguments.number("fps", within: 1...240) ?? 30
      yawDegrees = try arguments.number("yaw", within: -360...360).map(Float.init)
      peopleCount = try arguments.integer("people", within: 1...4) ?? 1
      seed = UInt64(try arguments.integer("seed", within: 0...Int.max) ?? 1)
      let size = (arguments.value("size") ?? "640x480").split(separator: "x").map { Int($0) ?? 0 }
      guard size.count == 2, size.allSatisfy({ (32...4096).contains($0) && $0 % 2 == 0 }) else {
        throw UsageError("--size takes two even numbers from 32 to 4096, such as 640x480.")
      }
      (width, height) = (size[0], size[1])
    }

    private static func exercise(_ name: String) throws -> Exercise {
      guard let exercise = Exercise(rawValue: name) else {
        let names = Exercise.allCases.map(\.rawValue)
        let nearest = Arguments.nearest(to: name, among: names)
        throw UsageError(
          "There is no exercise \(name)"
            + (nearest.map { "; did you mean \($0)?" } ?? "; there are \(names).")
        )
      }
      return exercise
    }

    /// The people, the first one in front of the camera's middle or furthest left.
    var figures: [SyntheticScene.Figure] {
      (0..<peopleCount).map { index in
        var generator = SeededGenerator(seed: seed &+ UInt64(index) &* 1_000_003)
        let person = SyntheticPerson.random(using: &generator)
        let appearance = Appearance.random(using: &generator)
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
      exercises.map { exercise in
        guard exercise != .standing else {
          return .standing(seconds: (tempo ?? 1) * Double(repetitions))
        }
        return .exercise(exercise, repetitions: repetitions, repetitionDuration: tempo)
      }
    }
  }

  static func run(_ arguments: Arguments) async throws {
    guard arguments.operands.isEmpty else {
      throw UsageError("Name the video with --output, not \(arguments.operands[0]).")
    }
    let wish = try Wish(arguments)
    let video = arguments.url("output")
    guard video != nil || arguments.url("poses") != nil else {
      throw UsageError("Name the video to write with --output.")
    }
    if let video, video.pathExtension.lowercased() != "mp4" {
      throw UsageError("The video is written as .mp4; \(video.lastPathComponent) is not.")
    }
    let scene = wish.scene
    let session = scene.figures[0].session
    if let video {
      try await render(scene, wish: wish, to: video)
    }
    if let url = arguments.url("poses") {
      let frames = (0..<session.frameCount(frameRate: wish.frameRate)).map { index in
        let time = Double(index) / wish.frameRate
        return PoseSequence.Frame(
          time: time, poses: scene.poses(at: time, aspectRatio: wish.aspectRatio))
      }
      try PoseSequence(frames: frames).write(to: url)
    }
    if let url = arguments.url("labels") {
      try writeLabels(of: session, video: video, to: url)
    }
    StandardStreams.print(timetable(of: session))
    if let url = arguments.url("model") {
      try fitModel(seed: wish.seed, to: url)
    }
  }

  private static func fitModel(seed: UInt64, to url: URL) throws {
    var parameters = StarterModel.Parameters()
    parameters.seed = seed
    let model = try StarterModel(parameters: parameters)
    try model.write(to: url)
    StandardStreams.print(
      "\n  \(url.lastPathComponent) knows \(StarterModel.labels.joined(separator: ", ")); "
        + "\(model.validationAccuracy.percent) of windows of other synthetic people are right.\n")
  }

  private static func render(
    _ scene: SyntheticScene, wish: Wish, to url: URL
  ) async throws {
    let renderer = SyntheticRenderer(
      scene, width: wish.width, height: wish.height, seed: wish.seed)
    let writer = try await VideoWriter(
      url: url, size: CGSize(width: wish.width, height: wish.height), frameRate: wish.frameRate)
    defer { writer.cancel() }
    let count = scene.figures[0].session.frameCount(frameRate: wish.frameRate)
    var progress = ProgressBar(url.lastPathComponent, total: count)
    defer { progress.finish() }
    let timescale = 1_000_000
    func tick(_ index: Int) -> Int {
      Int((Double(index) / wish.frameRate * Double(timescale)).rounded())
    }
    for index in 0..<count {
      try Task.checkCancellation()
      let id = TemporalSegmentIdentifier(
        source: url.path, range: tick(index)..<tick(index + 1), timescale: timescale)
      let frame = renderer.frame(at: Double(index) / wish.frameRate)
      try await writer.append(TemporalFeature(id: id, feature: frame))
      progress.update(index + 1)
    }
    try await writer.finish()
  }

  private static func writeLabels(
    of session: SyntheticSession, video: URL?, to url: URL
  ) throws {
    var text = "file_name,label,start_time,end_time,repetitions\n"
    for segment in session.segments {
      text += "\(video?.lastPathComponent ?? ""),\(segment.label),\(segment.start.fixed(3)),"
      text += "\(segment.end.fixed(3)),\(segment.repetitions.count)\n"
    }
    do {
      try WholeFile.write(Data(text.utf8), to: url)
    } catch {
      throw CommandFailure(.inputOutput, "\(url.path) cannot be written: \(error).")
    }
  }

  private static func timetable(of session: SyntheticSession) -> String {
    var table = TextTable([
      ("from", .right), ("to", .right), ("action", .left), ("repetitions", .right),
    ])
    for segment in session.segments {
      table.add([
        segment.start.fixed(1), segment.end.fixed(1), segment.label,
        segment.repetitions.isEmpty ? "" : "\(segment.repetitions.count)",
      ])
    }
    return table.text
  }
}
