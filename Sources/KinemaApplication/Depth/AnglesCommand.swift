import Foundation
import Kinema
import KinemaDepth
import KinemaReport

/// `kinema angles`: the angles of the body over time.
struct AnglesCommand: Command {
  static let name = "angles"
  static let abstract = "Measure the angles of the body over time, each with its error."
  static let usage = "FILE-OR-FOLDER …  [--plot PAGE.html]"
  static let discussion = """
    FILE is a video, or a file of poses (docs/formats.md) with the size of its picture. The body of the
    largest person is estimated in three dimensions in each frame, from where the joints are in the picture
    about that moment; --everybody measures each person.

    Knees, hips and elbows are 180° when straight; shoulders are 0° with the arm at the side and 180°
    overhead; the trunk's lean is 0° upright. Abduction points outwards; what is higher or turned on the left
    is above 0. Left and right are the person's own. The error is the standard error: two of three values are
    within it of the truth, nineteen of twenty within twice. It grows where a joint is hidden or out of the
    picture.

    How much an angle grows in a minute is shown from 20 seconds on. Angles are an aid to training, not a
    diagnosis.

    In Python they open in a line:
      pandas.read_csv("angles.csv")                    # a row a frame and person
    """
  static let examples = """
    kinema angles squat.mp4
        Show how far each joint moves, left against right.
    kinema angles squat.mp4 --plot squat.html
        Draw the angles over time, with their errors.
    kinema angles squat.mp4 --format csv > squat.csv
        Write the angles of each frame as a table.
    kinema angles squat.mp4 --format mot > squat.mot
        Write a motion for OpenSim.
    kinema angles squat.npz --format json
        Measure extracted poses, for a script.
    """
  @Option("FORMAT", AnglesFormat.help)
  var format = AnglesFormat.table
  @Option("FILE", "Draw the angles over time as a page: .html.")
  var plot: ReportFile?
  var depth = DepthOptions()
  @Flag("Measure each person with an id, not only the prominent one.")
  var everybody: Bool
  var subject = PersonOptions()
  @Operands(1...Int.max)
  var inputs: [String]

  func run() async throws {
    guard subject.person == nil || !everybody else {
      throw UsageError("--person and --everybody are alternatives; give one of them.")
    }
    let files = try InputFiles.resolve(inputs, includingPoseFiles: true)
    let posed = try subject.frames(of: files)
    guard let reportFormat = format.report else {
      guard files.count == 1 else {
        throw UsageError("--format mot prints one motion; name one file.")
      }
      return StandardStreams.print(try await report(of: files[0], posed).motion)
    }
    let output = ReportOutput<AnglesReport>(
      reportFormat, csvHeader: AnglesReport.csvHeader, keepsAll: plot != nil)
    let failure = try await InputFiles.forEach(files) { file in
      try output.add(try await report(of: file, posed))
    }
    try output.finish(inputCount: files.count)
    if let plot {
      try AnglesPage(output.reports.flatMap(\.clips)).write(to: plot.url)
    }
    if let failure { throw failure }
  }

  private func report(of file: URL, _ posed: PosedFiles) async throws -> AnglesReport {
    var lifting = try FrameLifting(depth)
    let scope: SceneAnalysis.Scope =
      everybody ? .everybody : subject.person.map { .person($0) } ?? .prominent
    var scene = SceneAnalysis(PersonAnalysis.Plan(), scope: scope)
    var report = AnglesReport(path: file.path, name: file.lastPathComponent)
    func add(_ frames: [FrameLifting.Lifted]) throws {
      for (frame, bodies) in frames {
        let prominent = try scene.add(frame.poses, at: frame.time).prominent?.personID
        for (number, body) in bodies.enumerated() {
          guard let body else { continue }
          let id = frame.poses[number].personID ?? number + 1
          guard everybody || id == (subject.person ?? prominent ?? id) else { continue }
          report.add(body, of: id, at: frame.time)
        }
      }
    }
    try await posed.forEachFrame(of: file) { try add(lifting.add($0)) }
    try add(lifting.finish())
    try scene.checkPerson(in: .init(file))
    return report
  }
}

/// What `kinema angles` prints.
enum AnglesFormat: String, CaseIterable, OptionValue {
  case table, json, csv, mot

  static let help = "table (default), json, csv, or mot, a motion for OpenSim."

  /// How reports are printed; `nil` for a motion, which is one file.
  fileprivate var report: ReportFormat? {
    switch self {
    case .table: .table
    case .json: .json
    case .csv: .csv
    case .mot: nil
    }
  }
}
