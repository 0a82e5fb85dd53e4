import Foundation
import Kinema
import KinemaFiles
import KinemaRendering
import KinemaReport
import KinemaSynth

/// A folder of labelled sequences of synthetic people: `<label>/<motion>-<number>.npz` (or `.mp4`),
/// `annotations.csv`, and `synth.json` with the options.
///
/// Every file is complete; existing ones are not changed, so that interrupted work resumes
/// and a larger number adds to a folder.
struct SynthDataset {
  /// What the sequences follow from: a folder holds those of one description only.
  struct Description: Codable, Equatable {
    var labels: [String]
    var seed: UInt64
    var duration: Double
    var frameRate: Double
    var format: String
    var size: String?
  }

  private let folder: URL
  private let sequenceCount: Int
  private let sampler: SyntheticMotionSampler
  private let description: Description
  private let options: SynthOptions

  private var makesVideos: Bool { description.format == "mp4" }

  init(_ command: SynthCommand, folder: URL) throws {
    self.folder = folder
    guard let count = command.sequences else {
      throw UsageError("Say how many with --sequences N.")
    }
    sequenceCount = count
    let others: Set = ["output", "poses", "actions", "repetitions", "tempo", "yaw", "people"]
    let given = command.declarations.first {
      $0.declaration.text != nil && others.contains($0.name)
    }
    if let given { throw UsageError("--\(given.name) does not go with --dataset.") }
    options = command.people
    let duration = command.duration ?? 10 / 3
    guard duration * options.fps >= 1 else {
      throw UsageError("--duration is shorter than a frame.")
    }
    let names = command.labels?.split(separator: ",").map(String.init)
    let classes = try names.map(Self.classes) ?? SyntheticMotionClass.standard
    sampler = SyntheticMotionSampler(
      classes: classes, duration: duration, frameRate: options.fps, seed: options.seed)
    let isVideo = command.videos
    description = Description(
      labels: classes.map(\.label), seed: options.seed, duration: duration,
      frameRate: options.fps, format: isVideo ? "mp4" : "npz",
      size: isVideo ? options.size.text : nil)
  }

  private static func classes(_ labels: [String]) throws -> [SyntheticMotionClass] {
    guard Set(labels).count == labels.count else {
      throw UsageError("--labels names a label twice.")
    }
    if let classes = SyntheticMotionClass.named(labels) { return classes }
    let known = ActionClass.allCases.map(\.rawValue)
    let unknown = labels.first { !known.contains($0) && Motion.named($0) == nil }
    guard let unknown else { throw UsageError("--labels names no label.") }
    throw UsageError(
      "There is no class or motion \(unknown)\(SynthOptions.hint(for: unknown, among: known))")
  }

  // MARK: Writing

  /// Generates missing files; returns the message for the user.
  func write() async throws -> String {
    try prepareFolder()
    var progress = ProgressBar(folder.lastPathComponent, total: sequenceCount)
    defer { progress.finish() }
    let made = try await makesVideos ? writeVideos(&progress) : writePoses(&progress)
    try WholeFile.write(Data(annotations.utf8), to: folder.appending(path: "annotations.csv"))
    let frames = sampler.frameCount
    return
      "\n  \(folder.lastPathComponent): \(sequenceCount.counted("sequence")) of \(frames.counted("frame")), "
      + "\(made) of them new; see annotations.csv.\n"
  }

  private func prepareFolder() throws {
    for label in description.labels {
      try OutputTarget.makeFolder(folder.appending(path: label))
    }
    let url = folder.appending(path: "synth.json")
    if FileManager.default.fileExists(atPath: url.path) {
      // One that cannot be read is not known to be the same.
      guard let data = try? Data(contentsOf: url),
        let found = try? JSONDecoder().decodeForeign(Description.self, from: data),
        found == description
      else {
        throw UsageError(
          "\(folder.path) has sequences made with other options; name another folder.")
      }
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try WholeFile.write(encoder.encode(description), to: url)
  }

  /// Batches of pose files, each on a thread of its own.
  private func writePoses(_ progress: inout ProgressBar) async throws -> Int {
    let batchSize = 32
    let made = try await ConcurrentWork.run(
      (sequenceCount + batchSize - 1) / batchSize,
      limit: ProcessInfo.processInfo.activeProcessorCount
    ) { done, _ in
      progress.update(min(done * batchSize, sequenceCount))
    } work: { number in
      try writePoses(number * batchSize..<min((number + 1) * batchSize, sequenceCount))
    }
    return made.reduce(0, +)
  }

  private func writePoses(_ range: Range<Int>) throws -> Int {
    var made = 0
    for index in range {
      try Task.checkCancellation()
      let url = folder.appending(path: fileName(index, sampler.summary(index)))
      guard !FileManager.default.fileExists(atPath: url.path) else { continue }
      try sampler.sample(index).poses.write(to: url)
      made += 1
    }
    return made
  }

  private func writeVideos(_ progress: inout ProgressBar) async throws -> Int {
    var made = 0
    for index in 0..<sequenceCount {
      let url = folder.appending(path: fileName(index, sampler.summary(index)))
      progress.update(index)
      guard !FileManager.default.fileExists(atPath: url.path) else { continue }
      try await SynthVideo.write(
        sampler.scene(index, aspectRatio: options.aspectRatio), frameCount: sampler.frameCount,
        options: options, seed: options.seed &+ UInt64(index), to: url, onFrame: { _ in })
      made += 1
    }
    return made
  }

  // MARK: Names and rows

  private typealias Summary = (label: String, motion: Motion, repetitionCount: Int)

  private func fileName(_ index: Int, _ summary: Summary) -> String {
    let number = String("0000000\(index)".suffix(max(7, "\(index)".count)))
    return "\(summary.label)/\(summary.motion.name)-\(number).\(description.format)"
  }

  private var annotations: String {
    var text = "file_name,label,start_time,end_time,motion,repetitions\n"
    let end = (Double(sampler.frameCount) / sampler.frameRate).fixed(3)
    for index in 0..<sequenceCount {
      let summary = sampler.summary(index)
      text += CSV.line([
        fileName(index, summary), summary.label, "0.000", end, summary.motion.name,
        summary.motion.isCounted ? "\(summary.repetitionCount)" : "",
      ])
    }
    return text
  }
}
