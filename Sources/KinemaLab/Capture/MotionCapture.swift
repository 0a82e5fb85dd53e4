package import Foundation
import KinemaFiles
import KinemaPose
package import KinemaSynth
import KinemaTraining

/// Recordings of motion capture, read from a folder.
///
/// The folder holds `index.csv`, a row a sequence (`file`, `sequence`, `subject`, `label`, `kind`, and
/// `start` and `frames`, rows of the file), and the NumPy archives that it names. The array `delta_mm`
/// `[rows, 19, 3]` of an archive has the joints of ``CapturedJoint`` in millimetres, y up, at 30 frames a
/// second: a sequence's first row the places, each other row the way from the frame before.
package struct MotionCapture: Sendable {
  /// The frames of a second of any recording.
  package static let frameRate = 30.0

  /// The limit for the rows of `index.csv`.
  static let largestSequenceCount = 100_000
  /// The limit for the bytes of `index.csv`.
  static let largestIndex = 1 << 26
  /// The limit for the frames of all sequences: 37 hours.
  static let largestFrameCount = 4_000_000
  /// How far from the origin a joint may be, in metres.
  static let farthest: Float = 200

  /// A sequence whose label is known.
  package struct Recording: Sendable {
    package let name: String
    /// Who it is; a person has one name in all recordings.
    package let subject: String
    package let label: CaptureLabel
    package let motion: CapturedMotion

    package init(name: String, subject: String, label: CaptureLabel, motion: CapturedMotion) {
      (self.name, self.subject, self.label, self.motion) = (name, subject, label, motion)
    }
  }

  package let recordings: [Recording]

  package init(_ recordings: [Recording]) { self.recordings = recordings }

  /// Reads the sequences that ``CaptureLabel`` has a label for.
  ///
  /// - Throws: ``KinemaTraining/TrainingError`` for a file that is missing, damaged or too large.
  package init(contentsOf folder: URL) throws {
    recordings = try Self.sequences(in: folder) { CaptureLabel(kind: $0.kind, label: $0.label) }
      .map { Recording(name: $0.name, subject: $0.subject, label: $0.label, motion: $0.motion) }
  }

  /// Reads all sequences; those that have no label of their own are everyday life.
  ///
  /// - Throws: ``KinemaTraining/TrainingError`` for a file that is missing, damaged or too large.
  package init(everySequenceIn folder: URL) throws {
    recordings = try Self.sequences(in: folder) {
      CaptureLabel(kind: $0.kind, label: $0.label) ?? .everyday
    }.map { Recording(name: $0.name, subject: $0.subject, label: $0.label, motion: $0.motion) }
  }

  /// A sequence with what its reader makes of its row.
  typealias Sequence<Label> = (name: String, subject: String, label: Label, motion: CapturedMotion)

  /// Reads the sequences of which `label` makes something, of their rough kind, label and name.
  ///
  /// - Throws: ``KinemaTraining/TrainingError`` for a file that is missing, damaged or too large.
  static func sequences<Label>(
    in folder: URL, label: ((kind: String, label: String, name: String)) -> Label?
  ) throws -> [Sequence<Label>] {
    let rows = try IndexRow.read(from: folder.appending(path: "index.csv"))
    var sequences: [Sequence<Label>] = []
    for (file, rows) in Dictionary(grouping: rows, by: \.file).sorted(by: { $0.key < $1.key }) {
      sequences += try Self.sequences(of: rows, at: folder.appending(path: file), label: label)
    }
    guard !sequences.isEmpty else {
      throw TrainingError(
        .badData, "\(folder.path) has no sequence with a label that is learnt; name another folder."
      )
    }
    return sequences
  }

  /// Those of the people who teach, and of those who are kept for measuring.
  package var split: (training: MotionCapture, heldOut: MotionCapture) {
    let isHeldOut = { (recording: Recording) in
      CaptureLabel.heldOutSubjects.contains(recording.subject)
    }
    return (
      MotionCapture(recordings.filter { !isHeldOut($0) }),
      MotionCapture(recordings.filter(isHeldOut))
    )
  }

  private static func sequences<Label>(
    of rows: [IndexRow], at url: URL, label: ((kind: String, label: String, name: String)) -> Label?
  ) throws -> [Sequence<Label>] {
    func failure(_ what: String) -> TrainingError {
      TrainingError(.badData, "\(url.path) is no archive of motion capture: \(what).")
    }
    let values: [Float]
    let rowSize = 3 * CapturedJoint.allCases.count
    do {
      let array = try NumPyArchive.read(["delta_mm"], at: url.path)["delta_mm"]
      guard let array, array.shape.count == 3, array.shape[1...] == [rowSize / 3, 3],
        array.shape[0] <= largestFrameCount
      else { throw failure("it has no array delta_mm of the shape [rows, \(rowSize / 3), 3]") }
      values = array.floats
    } catch let error as NumPyArchive.Failure {
      throw failure("\(error)")
    }
    var sequences: [Sequence<Label>] = []
    for row in rows {
      guard row.rows.upperBound <= values.count / rowSize else {
        throw failure("\(row.sequence) ends in row \(row.rows.upperBound), after the last")
      }
      guard let label = label((row.kind, row.label, row.sequence)) else { continue }
      let deltas = values[(row.rows.lowerBound * rowSize)..<(row.rows.upperBound * rowSize)]
      guard let frames = Self.frames(deltas) else {
        throw failure("\(row.sequence) has a joint that is nowhere, or over 200 m away")
      }
      sequences.append(
        (row.sequence, row.subject, label, CapturedMotion(frames: frames, frameRate: frameRate)))
    }
    return sequences
  }

  /// Places in metres; `nil` where one is not finite or too far away.
  private static func frames(_ deltas: ArraySlice<Float>) -> [CapturedMotion.Frame]? {
    let count = CapturedJoint.allCases.count
    var place = [SIMD3<Float>](repeating: .zero, count: count)
    var frames: [CapturedMotion.Frame] = []
    for start in stride(from: deltas.startIndex, to: deltas.endIndex, by: 3 * count) {
      for joint in 0..<count {
        let index = start + 3 * joint
        place[joint] += SIMD3(deltas[index], deltas[index + 1], deltas[index + 2]) / 1000
        let reach = pointwiseMax(place[joint], -place[joint]).max()
        guard reach <= farthest else { return nil }
      }
      frames.append(place)
    }
    return frames
  }
}

/// A row of `index.csv`.
private struct IndexRow {
  let file, sequence, subject, label, kind: String
  let rows: Range<Int>

  private static let columns = ["file", "sequence", "subject", "label", "kind", "start", "frames"]

  static func read(from url: URL) throws -> [IndexRow] {
    let table: CSV
    do {
      let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      guard size <= MotionCapture.largestIndex else {
        throw TrainingError(.badData, "\(url.path) is larger than 64 MB; split the folder.")
      }
      table = try CSV(
        Data(contentsOf: url), name: url.path,
        largestRowCount: MotionCapture.largestSequenceCount)
    } catch let error as CSV.Malformed {
      throw TrainingError(.badData, reporting: error)
    } catch let error as TrainingError {
      throw error
    } catch {
      throw TrainingError(
        .missing, "\(url.path) cannot be read; name a folder with it.", cause: error)
    }
    let header = table.rows.first?.cells ?? []
    let places = columns.compactMap(header.firstIndex(of:))
    guard places.count == columns.count else {
      throw TrainingError(
        .badData, "\(url.path) lacks one of the columns \(columns.joined(separator: ", ")).")
    }
    let rows = try table.rows.dropFirst().map { row in
      guard let read = IndexRow(places.map { $0 < row.cells.count ? row.cells[$0] : "" }) else {
        throw TrainingError(
          .badData,
          "\(url.path), row \(row.number): file must be the name of a file beside it, start and "
            + "frames numbers of rows.")
      }
      return read
    }
    guard rows.reduce(0, { $0 + $1.rows.count }) <= MotionCapture.largestFrameCount else {
      throw TrainingError(
        .badData, "\(url.path) has more than \(MotionCapture.largestFrameCount) frames.")
    }
    return rows
  }

  private init?(_ cells: [String]) {
    (file, sequence, subject, label, kind) = (cells[0], cells[1], cells[2], cells[3], cells[4])
    guard !file.isEmpty, !file.contains("/"), file != "..", let start = Int(cells[5]),
      let count = Int(cells[6]), start >= 0, count > 0,
      max(start, count) <= MotionCapture.largestFrameCount
    else { return nil }
    rows = start..<(start + count)
  }
}
