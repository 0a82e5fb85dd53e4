import Foundation
import Kinema

/// The way from one file to poses.
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
    /// The width and height of the upright picture in pixels.
    var size: (width: Int, height: Int)?
    /// The picture, where it was asked for.
    var frame: TemporalFeature<Frame>?
    var poses: [Pose]
  }

  let file: URL
  let source: Source
  var subject: PoseSubject { extractions.subject }
  private let extractions: PoseExtractions
  /// What stands before the bar on the terminal.
  private let progressTitle: String

  init(of file: URL, in extractions: PoseExtractions, progressTitle: String) {
    self.file = file
    self.extractions = extractions
    self.progressTitle = progressTitle
    source = Self.source(of: file)
  }

  static func source(of file: URL) -> Source {
    if PoseSequence.format(of: file) != nil { return .poses }
    return Frame.isStillPicture(at: file) ? .stillImage : .video
  }

  /// Looks at every frame in turn.
  ///
  /// Poses are the same with pictures and without: pictures are read a second time, beside the workers.
  ///
  /// - Parameters:
  ///   - needsPictures: Whether the steps hold the pictures.
  ///   - body: Takes each frame as soon as its poses are known.
  func run(
    needsPictures: Bool = false, _ body: (Step) async throws -> Void
  ) async throws {
    switch source {
    case .poses: try await runPoses(body)
    case .stillImage: try await runStillImage(needsPictures, body)
    case .video: try await runVideo(needsPictures, body)
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

  private func runStillImage(
    _ needsPicture: Bool, _ body: (Step) async throws -> Void
  ) async throws {
    let found = try await extractions.look(atStill: file)
    let picture =
      needsPicture ? TemporalFeature(id: found.id, feature: try Frame(contentsOf: file)) : nil
    try await body(
      Step(
        index: 0, time: 0, size: (found.width, found.height), frame: picture, poses: found.poses))
  }

  private func runVideo(
    _ needsPictures: Bool, _ body: (Step) async throws -> Void
  ) async throws {
    let video = try await extractions.open(file)
    var pictures = try await needsPictures ? PictureReader(file) : nil
    var progress = ProgressBar(progressTitle, total: video.estimatedFrameCount)
    defer { progress.finish() }
    var index = 0
    while let found = try await video.next() {
      if StandardStreams.outputIsClosed { throw ClosedOutput() }
      try await body(
        Step(
          index: index, time: found.id.rangeInSeconds.lowerBound,
          size: (found.width, found.height), frame: try await pictures?.picture(of: found),
          poses: found.poses))
      index += 1
      progress.update(needsPictures ? index : video.foundCount)
    }
    for warning in video.warnings {
      StandardStreams.printMessage("kinema: \(file.lastPathComponent): \(warning)")
    }
  }
}

/// Reads the pictures that belong to poses.
private struct PictureReader {
  private var iterator: AsyncFrames.Iterator
  private var next: TemporalFeature<Frame>?

  init(_ file: URL) async throws {
    iterator = try await VideoReader.read(contentsOf: file).makeAsyncIterator()
    next = try await iterator.next()
  }

  /// The picture that was looked at; `nil` where it cannot be read this time.
  mutating func picture(of found: FoundFrame) async throws -> TemporalFeature<Frame>? {
    while let picture = next, picture.id.range.lowerBound <= found.id.range.lowerBound {
      next = try await iterator.next()
      if picture.id.range.lowerBound == found.id.range.lowerBound { return picture }
    }
    return nil
  }
}
