import Foundation
import Kinema
import KinemaDepth

/// A format of `kinema pose`: takes frames, and gives the bytes of a file.
///
/// A new one is a file with a type of its own, and a place in ``PoseFormats/all``.
protocol PoseFormat: Sendable {
  /// The value of `--format`.
  static var name: String { get }
  /// The ending of a file's name.
  static var fileExtension: String { get }
  /// Whether what is written can be read by people and other programs as it comes.
  static var isText: Bool { get }
  /// Whether it holds bodies in three dimensions, and nothing else.
  static var isOfBodies: Bool { get }
  /// Whether a file holds what was found in many inputs.
  static var holdsManyInputs: Bool { get }
  /// Whether it holds the 33 landmarks of poses that have them.
  static var holdsLandmarks: Bool { get }
  /// Whether it is a folder with a file for each frame, which ``add(_:of:isStillImage:)`` gives.
  static var isFolder: Bool { get }
  /// The name of a frame's file in such a folder.
  static func fileName(ofFrame index: Int, of file: URL) -> String

  init(joints: [JointKey])
  /// Takes a frame; returns what can be written already.
  mutating func add(_ frame: PosedFrame, of file: String, isStillImage: Bool) throws -> Data
  /// Takes a frame whose people are known in three dimensions.
  mutating func add(_ frame: PosedFrame, _ bodies: [LiftedBody?]) -> Data
  /// The bytes that are left to write.
  mutating func finish() throws -> Data
}

extension PoseFormat {
  static var isText: Bool { true }
  mutating func add(_ frame: PosedFrame, _ bodies: [LiftedBody?]) -> Data { Data() }
  static var isOfBodies: Bool { false }
  static var holdsManyInputs: Bool { false }
  static var holdsLandmarks: Bool { false }
  static var isFolder: Bool { false }
  static func fileName(ofFrame index: Int, of file: URL) -> String { "" }
  mutating func finish() throws -> Data { Data() }
}

enum PoseFormats {
  static let all: [any PoseFormat.Type] = [
    PoseLines.self, PoseTable.self, PoseArchive.self, CocoDocument.self, OpenPoseFolder.self,
    MarkerFile.self, CaptureFile.self, BoneMotion.self,
  ]

  /// The format of a file by the ending of its name.
  static func format(of url: URL?) -> (any PoseFormat.Type)? {
    let name = url?.pathExtension.lowercased()
    return all.first { !$0.isFolder && $0.fileExtension == name }
  }

  /// `.a, .b or .c`: the endings of files.
  static var endings: String {
    let endings = all.filter { !$0.isFolder }.map { ".\($0.fileExtension)" }
    return endings.dropLast().joined(separator: ", ") + " or " + (endings.last ?? "")
  }
}

/// The value of `--format`: a table for people, or a format.
struct PoseFormatName: OptionValue, Equatable {
  /// `nil` for the table.
  let text: String

  static let table = PoseFormatName(text: "table")
  static var names: [String] { [table.text] + PoseFormats.all.map { $0.name } }
  static var kind: OptionKind { .choice(names) }
  static func value(of text: String, within limits: ClosedRange<Int>?) -> PoseFormatName? {
    names.contains(text) ? PoseFormatName(text: text) : nil
  }
  static func expectation(within limits: ClosedRange<Int>?) -> String {
    "one of \(names.joined(separator: ", "))"
  }

  /// `nil` for the table.
  var format: (any PoseFormat.Type)? { PoseFormats.all.first { $0.name == text } }
}

/// A line of JSON for each frame.
struct PoseLines: PoseFormat {
  static let name = "jsonl"
  static let fileExtension = "jsonl"
  static let holdsLandmarks = true

  init(joints: [JointKey]) {}

  func add(_ frame: PosedFrame, of file: String, isStillImage: Bool) -> Data {
    frame.sequenceFrame.jsonLine(index: frame.index) + Data("\n".utf8)
  }

  func add(_ frame: PosedFrame, _ bodies: [LiftedBody?]) -> Data {
    let places = bodies.map { body in
      body.map { body in
        body.joints.mapValues { joint in
          [joint.position.x, joint.position.y, joint.position.z, joint.error]
        }
      }
    }
    return frame.sequenceFrame.jsonLine(index: frame.index, places: places) + Data("\n".utf8)
  }
}

/// Arrays for NumPy.
struct PoseArchive: PoseFormat {
  static let name = "npz"
  static let fileExtension = "npz"
  static let isText = false
  static let holdsLandmarks = true
  private var sequence: PoseSequence

  init(joints: [JointKey]) { sequence = PoseSequence(joints: joints) }

  mutating func add(_ frame: PosedFrame, of file: String, isStillImage: Bool) -> Data {
    sequence.frames.append(frame.sequenceFrame)
    return Data()
  }

  func finish() throws -> Data { try sequence.data(in: .npz) }
}
