import Foundation
import Kinema

/// `kinema pose`: finds the poses of everybody in videos and pictures.
enum PoseCommand: Command {
  static let name = "pose"
  static let abstract = "Find the poses of people, or of hands, in videos and pictures."
  static let operands = "FILE-OR-FOLDER … [--output FILE-OR-FOLDER]"
  static let discussion = """
    Each person gets 18 joints with a place and a confidence. Places are normalised to the frame,
    origin at the lower left, y up; right and left are the person's own. People keep their id from
    frame to frame. Without --output a summary is shown; --format jsonl writes a line a frame.
    With --hands it is hands that are looked for: 21 joints each, and whether it is the left or the
    right one. Hands must not be too small: from a sixth of the picture's length all are found.

    In Python a file of poses opens in a line:
      poses = numpy.load("people.npz")["poses"]     # [frames, persons, 3, 18]
    """
  static let examples: [(line: String, meaning: String)] = [
    ("kinema pose workout.mp4", "Say how many people were seen, and how surely."),
    ("kinema pose workout.mp4 --output workout.npz", "Keep the poses for NumPy."),
    ("kinema pose workout.mp4 --format jsonl | head -1", "Look at the first frame."),
    ("kinema pose photo.jpg --annotate skeleton.png", "Draw the poses onto a picture."),
    ("kinema pose videos/ --output poses/", "Work through a folder."),
    ("kinema pose signs.mp4 --hands --annotate hands.mp4", "Find hands and draw them."),
  ]
  static let options =
    [
      Option(
        "output", value: "PATH",
        "Write poses to a .npz, .jsonl or .csv file, or one .npz for each input into a folder."),
      Option("format", value: "FORMAT", "What to print: table (default), jsonl or csv."),
      Option("annotate", value: "PATH", "Draw the poses: an .mp4 (for pictures .png) or a folder."),
      Option("hands", "Look for hands in place of bodies."),
    ] + PoseSubject.options

  enum Format: String, CaseIterable { case table, jsonl, csv }

  static func run(_ arguments: Arguments) async throws {
    let files = try InputFiles.resolve(arguments.operands)
    let format = try arguments.choice("format", default: Format.table)
    let subject = try PoseSubject(
      arguments, joints: arguments.has("hands") ? JointKey.hand : JointKey.body)
    let output = try arguments.url("output").map { try OutputTarget($0, for: files) }
    let annotation = try arguments.url("annotate").map { try OutputTarget($0, for: files) }
    guard files.count == 1 || output != nil || format == .table else {
      throw UsageError("For several inputs name a folder with --output.")
    }
    var table = TextTable([
      ("file", .left), ("frames", .right), ("seconds", .right),
      (subject.isOfHands ? "with a hand" : "with a person", .right),
      (subject.isOfHands ? "hands" : "people", .right), ("confidence", .right),
    ])
    try await InputFiles.forEach(files) { file in
      let extraction = PoseExtraction(of: file, subject: subject)
      guard extraction.source != .poses else {
        throw UsageError("\(file.lastPathComponent) holds poses already.")
      }
      let annotator = try annotation.map {
        try Annotator(target: $0, input: file, isStillImage: extraction.source == .stillImage)
      }
      defer { annotator?.cancel() }
      let printsLines = output == nil && format == .jsonl
      let csv = PoseTable(joints: subject.joints)
      if output == nil, format == .csv { StandardStreams.print(csv.header) }
      var sequence = PoseSequence(joints: subject.joints)
      var summary = PoseSummary()
      var selector = ProminentPersonSelector()
      try await extraction.run { step in
        let frame = PoseSequence.Frame(time: step.time, poses: step.poses)
        summary.add(frame)
        if output != nil { sequence.frames.append(frame) }
        if printsLines {
          StandardStreams.print(frame.jsonLine(index: step.index) + Data("\n".utf8))
        } else if output == nil, format == .csv {
          StandardStreams.print(csv.rows(of: frame, index: step.index))
        }
        if let picture = step.frame {
          try await annotator?.append(
            picture, poses: step.poses, prominent: selector.select(from: step.poses), caption: nil)
        }
      }
      try await annotator?.finish()
      if let output {
        try write(sequence, to: output, input: file, format: format)
      }
      table.add(summary.cells(file: file.lastPathComponent))
    }
    if format == .table { StandardStreams.print(table.text) }
  }

  /// How people are looked for, from the options.
  static func extractorConfiguration(
    _ arguments: Arguments
  ) throws -> HumanBodyPoseExtractor.Configuration {
    var configuration = HumanBodyPoseExtractor.Configuration()
    if let count = try arguments.integer("persons", within: 1...32) {
      configuration.maximumPersonCount = count
    }
    configuration.precision = try arguments.choice("precision", default: configuration.precision)
    return configuration
  }

  private static func write(
    _ sequence: PoseSequence, to output: OutputTarget, input: URL, format: Format
  ) throws {
    let fileExtension = format == .table ? "npz" : format.rawValue
    let url = output.file(for: input, fileExtension: fileExtension)
    let named = url.pathExtension.lowercased()
    if PoseSequence.format(of: url) != nil {
      try sequence.write(to: url)
    } else if named == "csv" || (format == .csv && named.isEmpty) {
      let csv = PoseTable(joints: sequence.joints)
      let rows = sequence.frames.enumerated().map { csv.rows(of: $1, index: $0) }
      try writeText([csv.header] + rows, to: url)
    } else if format == .jsonl, named.isEmpty {
      let lines = sequence.frames.enumerated().map { index, frame in
        String(decoding: frame.jsonLine(index: index), as: UTF8.self) + "\n"
      }
      try writeText(lines, to: url)
    } else {
      throw UsageError("\(url.path) names no format; use a name that ends in .npz, .jsonl or .csv.")
    }
  }

  private static func writeText(_ parts: [String], to url: URL) throws {
    do {
      try WholeFile.write(Data(parts.joined().utf8), to: url)
    } catch {
      throw CommandFailure(.inputOutput, "\(url.path) cannot be written: \(error).")
    }
  }
}

/// Poses as comma-separated values, a row a joint; hands have their side in a last column.
struct PoseTable {
  let joints: [JointKey]

  var header: String {
    "frame,time,person,joint,x,y,confidence" + (joints == JointKey.hand ? ",hand\n" : "\n")
  }

  func rows(of frame: PoseSequence.Frame, index: Int) -> String {
    let isOfHands = joints == JointKey.hand
    var text = ""
    for (number, pose) in frame.poses.enumerated() {
      let side = isOfHands ? "," + (pose.chirality?.rawValue ?? "") : ""
      for key in joints {
        guard let point = pose.keypoints[key] else { continue }
        text += "\(index),\(frame.time),\(pose.personID ?? number + 1),\(key.rawValue),"
        text += "\(point.position.x),\(point.position.y),\(point.confidence)\(side)\n"
      }
    }
    return text
  }
}

/// What was seen in a file, in figures.
private struct PoseSummary {
  private(set) var frameCount = 0
  private var framesWithPerson = 0
  private var confidence = 0.0
  private var people: Set<Int> = []
  private var mostAtOnce = 0
  private var end = 0.0

  mutating func add(_ frame: PoseSequence.Frame) {
    frameCount += 1
    end = frame.time
    people.formUnion(frame.poses.compactMap(\.personID))
    mostAtOnce = max(mostAtOnce, frame.poses.count)
    guard let best = frame.poses.map(\.confidence).max() else { return }
    framesWithPerson += 1
    confidence += Double(best)
  }

  func cells(file: String) -> [String] {
    let share = frameCount == 0 ? 0 : Double(framesWithPerson) / Double(frameCount)
    return [
      file, "\(frameCount)", end.fixed(1), share.percent, "\(max(people.count, mostAtOnce))",
      framesWithPerson == 0 ? "–" : (confidence / Double(framesWithPerson)).fixed(2),
    ]
  }
}
