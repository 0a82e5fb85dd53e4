import Foundation
import Kinema

/// The way from a file to poses that the commands share.
struct PoseExtraction {
  /// What a file holds.
  enum Source {
    case video
    case stillImage
    case poses
  }

  /// One frame and what was seen in it; files of poses have no picture.
  struct Step {
    var index: Int
    var time: TimeInterval
    var frame: TemporalFeature<Frame>?
    var poses: [Pose]
  }

  let file: URL
  let source: Source
  let subject: PoseSubject
  /// What stands before the bar on the terminal.
  var progressTitle: String

  init(
    of file: URL, configuration: HumanBodyPoseExtractor.Configuration, progressTitle: String? = nil
  ) {
    self.init(of: file, subject: .bodies(configuration), progressTitle: progressTitle)
  }

  init(of file: URL, subject: PoseSubject, progressTitle: String? = nil) {
    self.file = file
    self.subject = subject
    self.progressTitle = progressTitle ?? file.lastPathComponent
    if PoseSequence.format(of: file) != nil {
      source = .poses
    } else if Frame.isStillPicture(at: file) {
      source = .stillImage
    } else {
      source = .video
    }
  }

  /// Looks at every frame in turn.
  ///
  /// - Parameter body: Takes each frame as soon as its poses are known.
  func run(_ body: (Step) async throws -> Void) async throws {
    switch source {
    case .poses: try await runPoses(body)
    case .stillImage: try await runStillImage(body)
    case .video: try await runVideo(body)
    }
  }

  private func runPoses(_ body: (Step) async throws -> Void) async throws {
    let sequence = try PoseSequence(contentsOf: file)
    let isEmpty = sequence.frames.allSatisfy(\.poses.isEmpty)
    guard isEmpty || sequence.joints == subject.joints else {
      throw CommandFailure(
        .badData,
        "\(file.path) holds poses of \(sequence.joints.count) joints, where those of "
          + "\(subject.name) with \(subject.joints.count) are needed.")
    }
    for (index, frame) in sequence.frames.enumerated() {
      try Task.checkCancellation()
      try await body(Step(index: index, time: frame.time, poses: frame.poses))
    }
  }

  private func runStillImage(_ body: (Step) async throws -> Void) async throws {
    let id = TemporalSegmentIdentifier(source: file.path, range: 0..<1, timescale: 1)
    let frame = TemporalFeature(id: id, feature: try Frame(contentsOf: file))
    let poses = try await subject.finder(mode: .stillImages)(frame)
    try await body(Step(index: 0, time: 0, frame: frame, poses: poses))
  }

  private func runVideo(_ body: (Step) async throws -> Void) async throws {
    let name = file.lastPathComponent
    let frames = try await VideoReader.read(contentsOf: file) { warning in
      StandardStreams.printMessage("kinema: \(name): \(warning)")
    }
    let find = subject.finder(mode: .following)
    var progress = ProgressBar(progressTitle, total: frames.estimatedFrameCount)
    defer { progress.finish() }
    var index = 0
    for try await frame in frames {
      try Task.checkCancellation()
      if StandardStreams.outputIsClosed { throw ClosedOutput() }
      let poses = try await find(frame)
      try await body(
        Step(
          index: index, time: frame.id.rangeInSeconds.lowerBound, frame: frame, poses: poses))
      index += 1
      progress.update(index)
    }
  }
}
