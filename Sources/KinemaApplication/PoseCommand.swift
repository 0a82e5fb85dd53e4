import Foundation
import Kinema

/// `kinema pose`: extracts the poses of people, or hands, from videos, images and streams.
enum PoseCommand: Command {
  static let name = "pose"
  static let abstract =
    "Extract the poses of people, or of hands, from videos, pictures and streams."
  static let operands = "FILE-OR-FOLDER … | STREAM  [--output FILE-OR-FOLDER]"
  static let discussion = """
    Each person has 18 joints with location and confidence, normalised to the frame, origin at the lower
    left, y up; right and left are the person's own. Ids persist from frame to frame. Without --output a
    summary is printed; --format jsonl prints one line per frame. With --hands, hands are detected
    instead: 21 joints each, left or right. They must span at least a sixth of the frame's longer side.

    Files, and segments of long ones, are processed in parallel; results do not depend on --threads.
    STREAM is a camera (/dev/video0), an address (rtsp://, http:// and others), a named pipe, or - for
    standard input. It ends by itself, after --seconds, or with Ctrl-C; the poses up to then are
    written. Pipes and video files on web servers are processed completely; live streams are reopened
    when they fail, and drop frames that arrive too fast.

    In Python poses open in a line:
      numpy.load("people.npz")["poses"]                # [frames, persons, 3, 18]
      pandas.read_json("people.jsonl", lines=True)     # a row a frame
      pandas.read_csv("people.csv")                    # a row a joint
      pycocotools.coco.COCO("people.json")             # 17 joints, pixels
    """
  static let examples = """
    kinema pose workout.mp4
        Show the number of people and their confidence.
    kinema pose workout.mp4 --output workout.npz
        Save the poses for NumPy.
    kinema pose workout.mp4 --format jsonl | head -1
        Show the first frame.
    kinema pose photo.jpg --annotate skeleton.png
        Draw the poses onto a picture.
    kinema pose videos/ --output poses/
        Extract the poses of every file in a folder.
    kinema pose photos/ --format coco --output people.json
        Save the poses in the format of COCO.
    kinema pose rtsp://camera/stream --seconds 60 --output minute.npz
        Extract the poses of a camera for a minute.
    ffmpeg -i talk.mp4 -f mpegts - | kinema pose - --format jsonl
        Read a pipe.
    kinema pose signs.mp4 --hands --annotate hands.mp4
        Detect hands and draw them.
    """
  static let options = """
    --output PATH  Write to a .npz, .jsonl, .csv or .json (COCO) file, or a file for each input to a folder.
    --format FORMAT  What to print, or to write: table (default), jsonl, csv, npz or coco.
    --annotate PATH  Draw the poses: an .mp4 (for pictures .png) or a folder.
    --hands  Detect hands instead of bodies.
    --seconds S  Process a stream for S seconds.
    \(PictureAdjustment.options)
    \(PoseSubject.options)
    """

  static func run(_ arguments: Arguments) async throws {
    StandardStreams.print(try await extract(arguments).table)
  }

  /// Extracts poses, and returns what was found in each file.
  static func extract(_ arguments: Arguments) async throws -> PoseOutput.Found {
    let subject = try PoseSubject(
      arguments, joints: arguments.has("hands") ? JointKey.hand : JointKey.body)
    let input = try CommandInput(arguments)
    if let stream = input.stream {
      return try await run(stream, duration: input.duration, subject: subject, arguments)
    }
    let files = input.files
    let output = try output(for: files, subject: subject, arguments)
    let annotation = try arguments.url("annotate").map { try OutputTarget($0, for: files) }
    var options = try FrameSource.Options(subject, arguments)
    options.wantsPictures = annotation != nil
    let posed = try PosedFiles(files, options: options, arguments)
    try await InputFiles.forEach(files) { file in
      let kind = FrameSource.kind(of: file)
      guard kind != .poses else {
        throw UsageError("\(file.lastPathComponent) has poses already.")
      }
      let annotator = try annotation.map {
        try Annotator(target: $0, input: file, isStillImage: kind == .stillImage)
      }
      defer { annotator?.cancel() }
      try output.begin(file, isStillImage: kind == .stillImage)
      var scene = SceneAnalysis(PersonAnalysis.Plan(), scope: .prominent)
      try await posed.forEachFrame(of: file) { frame in
        output.add(frame)
        try await annotator?.append(
          frame, prominent: scene.add(frame.poses, at: frame.time).prominent, caption: nil)
      }
      try await annotator?.finish()
      try output.end()
    }
    return try output.finish()
  }

  private static func run(
    _ stream: StreamOperand, duration: Double?, subject: PoseSubject, _ arguments: Arguments
  ) async throws -> PoseOutput.Found {
    let name = StreamOperand.name
    var options = try FrameSource.Options(subject, arguments)
    options.duration = duration
    options.wantsPictures = arguments.value("annotate") != nil
    let frames = await FrameSource(stream, options: options)
    return try await endingOnRequest { stop in
      let output = try output(for: [name], subject: subject, arguments)
      let annotator = try arguments.url("annotate").map {
        try Annotator(target: try OutputTarget($0, for: [name]), input: nil, isStillImage: false)
      }
      defer { annotator?.cancel() }
      try output.begin(name, of: stream.source.name, isStillImage: false)
      var scene = SceneAnalysis(PersonAnalysis.Plan(), scope: .prominent)
      try await frames.forEachFrame(of: stream, until: stop) { frame in
        output.add(frame)
        if output.printsLines { StandardStreams.flush() }
        try await annotator?.append(
          frame, prominent: scene.add(frame.poses, at: frame.time).prominent, caption: nil)
      }
      try await annotator?.finish()
      try output.end()
      return try output.finish()
    }
  }

  private static func output(
    for inputs: [URL], subject: PoseSubject, _ arguments: Arguments
  ) throws -> PoseOutput {
    try PoseOutput(
      try arguments.choice("format", default: PoseOutput.Format.table),
      to: arguments.url("output"), for: inputs, joints: subject.joints)
  }

  static func extractorConfiguration(
    _ arguments: Arguments
  ) throws -> HumanBodyPoseExtractor.Configuration {
    var configuration = HumanBodyPoseExtractor.Configuration()
    if let count = try arguments.integer("persons", within: 1...32) {
      configuration.maximumPersonCount = count
    }
    configuration.precision = try arguments.choice("precision", default: configuration.precision)
    configuration.isSmoothed = arguments.has("smooth")
    return configuration
  }
}
