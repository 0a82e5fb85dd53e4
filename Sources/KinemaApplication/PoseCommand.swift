import Foundation
import Kinema

/// `kinema pose`: extracts the poses of people, or hands, from videos, images and streams.
struct PoseCommand: Command {
  static let name = "pose"
  static let abstract =
    "Extract the poses of people, or of hands, from videos, pictures and streams."
  static let usage = "FILE-OR-FOLDER … | STREAM  [--output FILE-OR-FOLDER]"
  static let discussion = """
    Each person has 18 joints with location and confidence, normalised to the frame, origin at the lower
    left, y up; right and left are the person's own. Ids persist from frame to frame. Without --output a
    summary is printed; --format jsonl prints one line per frame. With --hands, hands are detected
    instead: 21 joints each, left or right. They must span at least a sixth of the frame's longer side.

    Files, and segments of long ones, are processed in parallel; results do not depend on --threads.
    STREAM is a camera (/dev/video0), an address (rtsp://, http:// and others), a named pipe, or - for
    standard input. It ends by itself, after --seconds, or with Ctrl-C; the poses up to then are
    written. Pipes and video files on web servers are processed completely; live streams are reopened
    when they fail, and drop frames that arrive too fast. A stream that is not there, or sends no
    picture, is an error, at once or after --retry.

    With --depth each person also has joints3d: x, y, z and their standard error in metres, from the middle
    of the hips, y up against gravity, x to the right in the picture, z towards the camera. It goes with
    --format jsonl. Three formats hold the person with the most frames: trc (markers in metres) and c3d
    (in millimetres), for OpenSim, Pose2Sim and Mokka, and bvh (bones that turn), for Blender.

    Poses are read as well, and written in another format: .npz, .jsonl, .csv and .json (COCO) of Kinema,
    OpenPose's folder of JSON, AlphaPose's and COCO's results, tables of MediaPipe's landmarks, and .trc.
    --size and --fps say what such a file does not.

    With --landmarks all each person also has the pose network's 33 landmarks, as in MediaPipe: heels, toes,
    fingers and face as well, with x, y, z, visibility and presence, and the network's own estimate in metres
    (world landmarks; with --precision fast they are 5 cm off). z is nearness to the camera. Heels and toes are
    drawn as well.

    In Python poses open in a line:
      numpy.load("people.npz")["poses"]                # [frames, persons, 3, 18]
      numpy.load("people.npz")["landmarks"]            # [frames, persons, 33, 5], with --landmarks all
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
    kinema pose workout.mp4 --landmarks all --format jsonl
        Print heels, toes, hands and face as well.
    kinema pose workout.mp4 --format openpose --output frames/
        Write a file a frame, as OpenPose does.
    kinema pose alphapose-results.json --size 1920x1080 --output workout.npz
        Read poses of another tool.
    kinema pose workout.mp4 --depth --format jsonl
        Print the joints in metres as well.
    kinema pose squat.mp4 --depth --output squat.trc
        Write markers for OpenSim.
    kinema pose squat.mp4 --depth --output squat.bvh
        Write a motion for Blender.
    """
  @Option(
    "PATH",
    "Write a .npz, .jsonl, .csv, .json (COCO), .trc, .c3d or .bvh, or a folder of them."
  )
  var output: URL?
  @Option("FORMAT", "Print or write:")
  var format = PoseFormatName.table
  @Option("PATH", "Draw the poses: an .mp4 (for pictures .png) or a folder.")
  var annotate: URL?
  @Flag("Detect hands instead of bodies.")
  var hands: Bool
  @Option("WHICH", "The 18 joints of bodies, or also all 33 landmarks:")
  var landmarks = LandmarkChoice.joints
  @Flag("Also estimate the joints in three dimensions (jsonl, trc, c3d, bvh).")
  var depth: Bool
  var lifting = DepthOptions()
  var stream = StreamOptions()
  var frames = FrameOptions()
  var poseFile = PoseFileOptions()
  var subject = SubjectOptions()
  @Operands(1...Int.max)
  var inputs: [String]

  func run() async throws {
    let (found, failure) = try await findings()
    StandardStreams.print(found.table)
    if let failure { throw failure }
  }

  /// Extracts poses, and returns what was found in each file.
  func extract() async throws -> PoseOutput.Found {
    let (found, failure) = try await findings()
    if let failure { throw failure }
    return found
  }

  /// What was found in each file, and why some files could not be used.
  private func findings() async throws -> (found: PoseOutput.Found, failure: CommandFailure?) {
    let isSmoothed = subject.smooth
    var subject = try subject.subject(hands ? JointKey.hand : JointKey.body)
    if landmarks == .all { subject.keepLandmarks() }
    try checkDepth()
    let input = try CommandInput(inputs, stream, includingPoseFiles: depth)
    var options = frames.options(subject)
    options.wantsPictures = annotate != nil
    try checkLandmarks()
    try poseFile.apply(to: &options)
    if let stream = input.stream {
      options.patience = input.patience
      return (try await run(stream, options), nil)
    }
    let files = input.files
    let output = try output(for: files, subject)
    let annotation = try annotate.map { try OutputTarget($0, for: files) }
    let posed = PosedFiles(
      files, options: options, threadCount: frames.threads)
    let failure = try await InputFiles.forEach(files) { file in
      let kind = FrameSource.kind(of: file)
      if annotation != nil { try OutputTarget.checkPictures(of: file, kind) }
      guard kind != .poses || !isSmoothed else {
        throw UsageError(
          "--smooth goes with videos and pictures; \(file.lastPathComponent) has poses.")
      }
      let annotator = try annotation.map {
        try Annotator(target: $0, input: file, isStillImage: kind == .stillImage)
      }
      defer { annotator?.cancel() }
      try output.begin(file, isStillImage: kind == .stillImage)
      var scene = SceneAnalysis(PersonAnalysis.Plan(), scope: .prominent)
      var lifting = try depth ? FrameLifting(lifting) : nil
      var (hasPoses, hasLandmarks) = (false, false)
      try await posed.forEachFrame(of: file) { frame in
        hasPoses = hasPoses || !frame.poses.isEmpty
        hasLandmarks = hasLandmarks || frame.poses.contains { $0.landmarks != nil }
        if let lifted = lifting?.add(frame) { output.add(lifted) } else { try output.add(frame) }
        try await annotator?.append(
          frame, prominent: scene.add(frame.poses, at: frame.time).prominent, caption: nil)
      }
      if let lifted = lifting?.finish() { output.add(lifted) }
      try await annotator?.finish()
      guard landmarks != .all || kind != .poses || hasLandmarks || !hasPoses else {
        throw CommandFailure(
          .badData, "\(file.lastPathComponent) has no landmarks; leave --landmarks out.")
      }
      try output.end()
    }
    return (try output.finish(), failure)
  }

  private func run(
    _ stream: StreamOperand, _ options: FrameSource.Options
  ) async throws -> PoseOutput.Found {
    let name = StreamOperand.name
    let frames = FrameSource(stream, options: options)
    return try await endingOnRequest { stop in
      let output = try output(for: [name], options.subject)
      let annotator = try annotate.map {
        try Annotator(target: try OutputTarget($0, for: [name]), input: nil, isStillImage: false)
      }
      defer { annotator?.cancel() }
      try output.begin(name, of: stream.source.name, isStillImage: false)
      var scene = SceneAnalysis(PersonAnalysis.Plan(), scope: .prominent)
      var lifting = try depth ? FrameLifting(lifting) : nil
      try await frames.forEachFrame(of: stream, until: stop) { frame in
        if let lifted = lifting?.add(frame) { output.add(lifted) } else { try output.add(frame) }
        if output.printsLines { StandardStreams.flush() }
        try await annotator?.append(
          frame, prominent: scene.add(frame.poses, at: frame.time).prominent, caption: nil)
      }
      if let lifted = lifting?.finish() { output.add(lifted) }
      try await annotator?.finish()
      try output.end()
      return try output.finish()
    }
  }

  private func checkLandmarks() throws {
    guard landmarks == .all else { return }
    guard !hands else { throw UsageError("--landmarks goes with bodies; leave --hands out.") }
    guard !depth || format == .table || format.format?.holdsLandmarks == true else {
      throw UsageError(
        "--landmarks goes with --format jsonl, csv or npz; for joints in metres leave it out.")
    }
  }

  private func checkDepth() throws {
    let chosen = format.format ?? PoseFormats.format(of: output)
    guard depth else {
      guard lifting.height == nil else { throw UsageError("--height goes with --depth.") }
      if let chosen, chosen.isOfBodies {
        throw UsageError("A .\(chosen.fileExtension) file holds a body in space: add --depth.")
      }
      return
    }
    guard !hands else { throw UsageError("--depth goes with bodies; leave --hands out.") }
    guard chosen == PoseLines.self || chosen?.isOfBodies == true else {
      throw UsageError(
        "--depth goes with --format jsonl, trc, c3d or bvh, or with an --output that ends so.")
    }
  }

  private func output(for inputs: [URL], _ subject: PoseSubject) throws -> PoseOutput {
    try PoseOutput(
      format, to: output, for: inputs, joints: subject.joints, wantsLandmarks: landmarks == .all)
  }
}

/// The points of a body that `kinema pose` writes.
enum LandmarkChoice: String, CaseIterable, OptionValue { case joints, all }
