import Foundation
import Kinema
import KinemaCoach
import KinemaReport

/// `kinema assess`: tests that clinics time or measure.
struct AssessCommand: Command {
  static let name = "assess"
  static let abstract = "Time a chair stand, a walk or a stance, and measure ranges of motion."
  static let usage = "FILE-OR-FOLDER … --test NAME"
  static let discussion = """
    FILE is a video, or a file of poses (.npz, .jsonl) with the size of its picture, in which the largest
    person does the test. --list shows the tests, and what to do and how to film in each. Each measurement
    has its standard error, or says why it can't be seen. An aid to training and observation, not a
    diagnosis.

    Time starts with the person's first movement. --from SECONDS is the moment of the word "go" in the file;
    --from and --to together are the part that is assessed, in a walk the moments at which the person
    crosses the two ends of the way.

    TESTS is a file such as `kinema assess --show-tests` prints: names, instructions, limits and references can
    be changed. docs/assess.md says how each measurement is defined.
    """
  static let examples = """
    kinema assess --list
        Show the tests.
    kinema assess chair.mp4 --test five-times-chair-stand
        Seconds until the fifth time upright, and how long each rise takes.
    kinema assess chair.mp4 --test chair-stand-30s --age 72 --sex female
        Stands in 30 seconds, beside CDC's reference for age and sex.
    kinema assess walk.mp4 --test walk-4m --height 1.68 --report walk.html
        Speed, cadence, steps and symmetry, with a page to print.
    kinema assess walk.mp4 --test walk-4m --from 2.1 --to 5.4
        The same, with the moments at which the lines were crossed.
    kinema assess arm.mp4 --test shoulder-flexion --format json
        The best angle of each side, for a script.
    """
  @Option("NAME", "The test; --list shows them.")
  var test: String?
  @Flag("Show the tests and end.")
  var list: Bool
  @Option("SECONDS", "Assess the file from here on: the word “go”.", 0...1e6)
  var from: Double?
  @Option("SECONDS", "Assess the file up to here.", 0...1e6)
  var to: Double?
  @Option("M", "The length of the way in metres (default: the test's).", 1...100)
  var distance: Double?
  @Option("YEARS", "The person's age, for references.", 0...120)
  var age: Int?
  @Option("SEX", "The person's sex, for references: female or male.")
  var sex: PersonSex?
  var depth = DepthOptions()
  @Option("FORMAT", "What to print:")
  var format = ReportFormat.table
  @Option("FILE", "Write a report as a page to print: .html.")
  var report: ReportFile?
  @Option("TESTS", "The definitions of the tests (default: the built-in ones).")
  var tests: URL?
  @Flag("Print the definitions and end.")
  var showTests: Bool
  var subject = PersonOptions()
  @Operands(0...Int.max)
  var inputs: [String]

  func run() async throws {
    let definitions = try tests ?? CoachFile.tests.url
    let book = try TestBook(contentsOf: definitions)
    if showTests { return StandardStreams.print(try Data(contentsOf: definitions)) }
    if list { return StandardStreams.print(Self.list(of: book)) }
    guard let test else {
      throw UsageError(
        "Name the test with --test; there are \(book.tests.keys.sorted().joined(separator: ", ")).")
    }
    let known = book.tests.keys.sorted()
    guard book.tests[test] != nil || tests != nil else {
      let nearest = Spelling.nearest(to: test, among: known)
      throw UsageError(
        "There is no test \(test); "
          + (nearest.map { "did you mean \($0)?" } ?? "there are \(known.joined(separator: ", ")).")
      )
    }
    let definition = try book.test(test)
    if let from, let to, from >= to { throw UsageError("--from must be before --to.") }
    let files = try InputFiles.resolve(inputs, includingPoseFiles: true)
    let posed = try subject.frames(of: files)
    let output = ReportOutput<AssessReport>(
      format, csvHeader: AssessReport.csvHeader, keepsAll: report != nil)
    let failure = try await InputFiles.forEach(files) { file in
      let course = try await course(of: file, posed)
      let crossing = from.flatMap { from in to.map { from...max(from, $0) } }
      try output.add(
        AssessReport(
          path: file.path, name: file.lastPathComponent, test: definition,
          assessment: definition.assess(
            course.part(from: from, to: to), metres: distance, crossing: crossing),
          age: age, sex: sex?.value))
    }
    try output.finish(inputCount: files.count)
    if let report { try AssessPage(output.reports.map(\.section)).write(to: report.url) }
    if let failure { throw failure }
  }

  /// The person of a file over time.
  private func course(of file: URL, _ posed: PosedFiles) async throws -> PersonCourse {
    var scene = SceneAnalysis(
      PersonAnalysis.Plan(), scope: subject.person.map { .person($0) } ?? .prominent)
    var poses: [(time: Double, pose: Pose?)] = []
    var shape: Float?
    try await posed.forEachFrame(of: file) { frame in
      shape = shape ?? frame.aspectRatio
      let id = try scene.add(frame.poses, at: frame.time).prominent?.personID
      poses.append((frame.time, frame.poses.first { $0.personID == id }))
    }
    try scene.checkPerson(in: .init(file))
    if let from, let end = poses.last?.time, from >= end {
      throw CommandFailure(
        .badData, "\(file.lastPathComponent) ends at \(end.fixed(1)) s, before --from.")
    }
    return PersonCourse(
      poses, aspectRatio: shape ?? 1, stature: depth.height.map { Float($0) },
      lifter: try BodyLifter())
  }

  private static func list(of book: TestBook) -> String {
    book.tests.values.sorted { $0.id < $1.id }.map { test in
      """
      \(test.id): \(test.name)
        Do: \(test.instructions)
        Film: \(test.film)
        Source: \(test.source)

      """
    }.joined(separator: "\n")
  }
}

/// What references are known for.
enum PersonSex: String, CaseIterable, OptionValue {
  case female, male

  fileprivate var value: MotionTest.Sex { self == .female ? .female : .male }
}
