import Foundation
import Kinema
import KinemaFiles
import KinemaReport

/// Where `kinema pose` puts what it finds, and how: files, whole or not at all, or standard output.
final class PoseOutput {
  /// What was found in each file.
  struct Found: Sendable {
    /// For people; empty where something else was printed.
    var table = ""
    var reports: [JSONObject] = []
  }

  private let format: PoseFormatName
  private let target: OutputTarget?
  private let joints: [JointKey]
  private let wantsLandmarks: Bool
  private let inputCount: Int
  private var table: TextTable
  private var reports: [JSONObject] = []

  // The file that is worked on, or all of them where they are written together.
  private var document: (any PoseFormat)?
  /// Where each frame is a file of its own.
  private var folder: URL?
  private var bytes = Data()
  private var input = URL(filePath: "")
  private var source = ""
  private var isStillImage = false
  private var summary = PoseSummary()

  /// - Parameters:
  ///   - url: The output file or folder; `nil` for standard output.
  ///   - wantsLandmarks: Whether what is written holds the 33 landmarks.
  init(
    _ format: PoseFormatName, to url: URL?, for inputs: [URL], joints: [JointKey],
    wantsLandmarks: Bool = false
  ) throws {
    self.wantsLandmarks = wantsLandmarks
    self.format = format
    self.joints = joints
    inputCount = inputs.count
    let isOfHands = joints == JointKey.hand
    table = TextTable([
      ("file", .left), ("frames", .right), ("seconds", .right),
      (isOfHands ? "with a hand" : "with a person", .right),
      (isOfHands ? "hands" : "people", .right), ("confidence", .right),
    ])
    let named = PoseFormats.format(of: url)
    let isOneFile =
      named?.holdsManyInputs == true && (format == .table || format.format?.name == named?.name)
    target = try url.map { try OutputTarget($0, for: isOneFile ? Array(inputs.prefix(1)) : inputs) }
    guard target == nil else { return }
    guard format.format?.isText ?? true else {
      throw UsageError(
        "--format \(format.text) writes files: name one, or a folder, with --output.")
    }
    guard inputs.count <= 1 || format.format?.holdsManyInputs ?? true else {
      throw UsageError("For several inputs name a folder with --output.")
    }
  }

  /// Whether lines are printed as frames come.
  var printsLines: Bool {
    target == nil && format.format.map { $0.isText && !$0.holdsManyInputs } ?? false
  }

  /// Whether one document holds what was found in all inputs.
  private var isTogether: Bool { gathersInputs && target?.isFolder != true }

  private var gathersInputs: Bool { document.map { type(of: $0).holdsManyInputs } ?? false }

  /// - Parameter source: The stream, where the input is none.
  func begin(_ input: URL, of source: String? = nil, isStillImage: Bool) throws {
    self.input = input
    self.source = source ?? input.path
    self.isStillImage = isStillImage
    summary = PoseSummary()
    guard !isTogether else { return }
    let chosen = try target.map { try chosenFormat(for: $0.file(for: input, fileExtension: "")) }
    document = try (chosen ?? format.format).map { try document(in: $0) }
    bytes = Data()
    folder = chosen?.isFolder == true ? try target.map { try makeFolder(in: $0, for: input) } : nil
  }

  private func document(in format: any PoseFormat.Type) throws -> any PoseFormat {
    guard wantsLandmarks, !format.holdsLandmarks else { return format.init(joints: joints) }
    guard format == PoseTable.self else {
      throw UsageError(
        "Landmarks are written as .npz, .jsonl or .csv; --format \(format.name) holds joints alone."
      )
    }
    return LandmarkTable(joints: joints)
  }

  func add(_ posed: PosedFrame) throws {
    let posed = counted(posed)
    let data = try document?.add(posed, of: input.lastPathComponent, isStillImage: isStillImage)
    guard let folder, let data, let document else { return put(data) }
    let name = type(of: document).fileName(ofFrame: posed.index, of: input)
    try WholeFile.write(data, to: folder.appending(path: name))
  }

  /// Takes frames with bodies in three dimensions.
  func add(_ lifted: [FrameLifting.Lifted]) {
    for (frame, bodies) in lifted {
      let frame = counted(frame)
      put(document?.add(frame, bodies))
    }
  }

  private func counted(_ posed: PosedFrame) -> PosedFrame {
    summary.add(posed.sequenceFrame)
    var posed = posed
    if target != nil, !gathersInputs { posed.index = summary.frameCount - 1 }
    return posed
  }

  func end() throws {
    table.add(summary.cells(file: input.lastPathComponent))
    let url =
      folder
      ?? target?.file(
        for: input, fileExtension: document.map { type(of: $0).fileExtension } ?? "")
    reports.append([
      "schema": 1, "video": source, "file": url?.path, "joints": joints.map(\.rawValue),
      "frames": summary.frameCount, "persons": summary.personCount, "duration": summary.end,
    ])
    if !isTogether { try close(url) }
  }

  func finish() throws -> Found {
    if isTogether { try close(target?.url) }
    return Found(table: format == .table ? table.text : "", reports: reports)
  }

  private func put(_ data: Data?) {
    guard let data else { return }
    if target == nil { StandardStreams.print(data) } else { bytes += data }
  }

  private func close(_ url: URL?) throws {
    put(try document?.finish())
    if let url, folder == nil { try WholeFile.write(bytes, to: url) }
    (document, bytes) = (nil, Data())
  }

  /// The folder for the frames of an input: the one that is named, or for several inputs one in it for each.
  private func makeFolder(in target: OutputTarget, for input: URL) throws -> URL {
    let url =
      inputCount == 1
      ? target.url : target.url.appending(path: input.deletingPathExtension().lastPathComponent)
    try OutputTarget.makeFolder(url)
    return url
  }

  /// The format of a file: that of its name, which must be the one that was asked for.
  private func chosenFormat(for url: URL) throws -> any PoseFormat.Type {
    if target?.isFolder == true { return format.format ?? PoseArchive.self }
    if url.pathExtension.isEmpty, let format = format.format { return format }
    guard let named = PoseFormats.format(of: url) else {
      throw UsageError(
        "\(url.path) names no format; use a name that ends in \(PoseFormats.endings).")
    }
    guard let format = format.format, format != named else { return named }
    throw UsageError(
      "\(url.lastPathComponent) is no name for --format \(format.name); "
        + (format.isFolder ? "name a folder." : "end it in .\(format.fileExtension)."))
  }
}
