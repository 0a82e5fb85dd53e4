import Foundation
import Kinema
import KinemaFiles
import KinemaReport

/// Where `kinema pose` puts what it finds, and how: files, whole or not at all, or standard output.
final class PoseOutput {
  enum Format: String, CaseIterable {
    case table, jsonl, csv, npz, coco

    /// The ending of a file's name.
    var fileExtension: String {
      switch self {
      case .table: Format.npz.rawValue
      case .coco: "json"
      default: rawValue
      }
    }
  }

  /// What was found in each file.
  struct Found: Sendable {
    /// For people; empty where something else was printed.
    var table = ""
    var reports: [JSONObject] = []
  }

  private let format: Format
  private let target: OutputTarget?
  private let joints: [JointKey]
  private var coco: CocoDocument
  private var table: TextTable
  private var reports: [JSONObject] = []

  // The file that is worked on.
  private var input = URL(filePath: "")
  private var source = ""
  private var isStillImage = false
  private var sequence: PoseSequence
  private var summary = PoseSummary()

  /// - Parameter url: The output file or folder; `nil` for standard output.
  init(_ format: Format, to url: URL?, for inputs: [URL], joints: [JointKey]) throws {
    self.format = format
    self.joints = joints
    coco = CocoDocument(joints: joints)
    sequence = PoseSequence(joints: joints)
    let isOfHands = joints == JointKey.hand
    table = TextTable([
      ("file", .left), ("frames", .right), ("seconds", .right),
      (isOfHands ? "with a hand" : "with a person", .right),
      (isOfHands ? "hands" : "people", .right), ("confidence", .right),
    ])
    // A file of COCO's holds what was found in many files.
    let isOneFile = [.coco, .table].contains(format) && url?.pathExtension.lowercased() == "json"
    target = try url.map { try OutputTarget($0, for: isOneFile ? Array(inputs.prefix(1)) : inputs) }
    guard target == nil else { return }
    guard format != .npz else {
      throw UsageError("--format npz writes files: name one, or a folder, with --output.")
    }
    guard inputs.count <= 1 || format == .table || format == .coco else {
      throw UsageError("For several inputs name a folder with --output.")
    }
  }

  /// Whether a line is printed for each frame at once.
  var printsLines: Bool { target == nil && format == .jsonl }

  /// - Parameter source: The stream, where the input is none.
  func begin(_ input: URL, of source: String? = nil, isStillImage: Bool) throws {
    self.input = input
    self.source = source ?? input.path
    self.isStillImage = isStillImage
    sequence.frames = []
    summary = PoseSummary()
    if let target { _ = try chosenFormat(for: target.file(for: input, fileExtension: "")) }
    if target == nil, format == .csv { StandardStreams.print(PoseTable(joints: joints).header) }
  }

  func add(_ posed: PosedFrame) {
    let frame = PoseSequence.Frame(time: posed.time, poses: posed.poses)
    summary.add(frame)
    if isCoco {
      coco.add(posed, of: input.lastPathComponent, isStillImage: isStillImage)
    } else if target != nil {
      sequence.frames.append(frame)
    } else if format == .jsonl {
      StandardStreams.print(frame.jsonLine(index: posed.index) + Data("\n".utf8))
    } else if format == .csv {
      StandardStreams.print(PoseTable(joints: joints).rows(of: frame, index: posed.index))
    }
  }

  func end() throws {
    table.add(summary.cells(file: input.lastPathComponent))
    let url = target?.file(for: input, fileExtension: format.fileExtension)
    reports.append([
      "schema": 1, "video": source, "file": url?.path, "joints": joints.map(\.rawValue),
      "frames": summary.frameCount, "persons": summary.personCount, "duration": summary.end,
    ])
    guard let target, let url else { return }
    if isCoco, !target.isFolder { return }
    let frames = sequence.frames.enumerated()
    switch try chosenFormat(for: url) {
    case .npz, .table: try sequence.write(to: url)
    case .jsonl where PoseSequence.format(of: url) == .jsonl: try sequence.write(to: url)
    case .jsonl:
      try WholeFile.write(
        frames.reduce(into: Data()) {
          $0 += $1.element.jsonLine(index: $1.offset) + Data("\n".utf8)
        },
        to: url)
    case .csv:
      let rows = PoseTable(joints: joints)
      try WholeFile.write(
        Data(([rows.header] + frames.map { rows.rows(of: $1, index: $0) }).joined().utf8), to: url)
    case .coco:
      try WholeFile.write(try coco.json(), to: url)
      coco = CocoDocument(joints: joints)
    }
  }

  func finish() throws -> Found {
    if isCoco, target == nil { StandardStreams.print(try coco.json()) }
    if isCoco, let target, !target.isFolder { try WholeFile.write(try coco.json(), to: target.url) }
    return Found(table: format == .table ? table.text : "", reports: reports)
  }

  /// Whether what is found is gathered for COCO.
  private var isCoco: Bool {
    format == .coco || target.map { !$0.isFolder && $0.url.pathExtension == "json" } ?? false
  }

  private func chosenFormat(for url: URL) throws -> Format {
    let name = url.pathExtension.lowercased()
    if target?.isFolder == true { return format == .table ? .npz : format }
    if name.isEmpty, format != .table { return format }
    guard let named = Format.allCases.first(where: { $0 != .table && $0.fileExtension == name })
    else {
      throw UsageError(
        "\(url.path) names no format; use a name that ends in .npz, .jsonl, .csv or .json.")
    }
    guard format == .table || format == named else {
      throw UsageError(
        "\(url.lastPathComponent) is no name for --format \(format.rawValue); end it in "
          + ".\(format.fileExtension).")
    }
    return named
  }
}
