import Foundation
import KinemaReport

/// How right classifiers are about real people.
package struct RealPeopleReport: BenchReport {
  /// Something that was wrong.
  package struct Failure: Encodable, Sendable {
    package enum Kind: String, Encodable, CaseIterable, Sendable {
      /// Too few frames of the segment show the person.
      case poseLost = "pose lost"
      /// The likeliest label over the windows is another.
      case classifier
      /// The likeliest label is right, and another name is shown.
      case course
      /// An exercise is named where none of it is done.
      case falseStretch = "false stretch"
      /// Another number of repetitions is counted, without a classifier, than is done.
      case count
    }

    let file: String
    /// The label of the collection; `nil` for a false stretch.
    let label: String?
    /// Seconds.
    let start: Double
    let end: Double
    let likeliest: String?
    package let shown: String?
    package let kind: Kind
    /// Of a wrong count: what is done, and when the repetitions that were counted end, in seconds.
    package var repetitions: Int?
    package var counted: [Double]?
  }

  package struct Result {
    let name: String
    let exercises: Set<String>
    /// By training, or by division of the sources where rules are chosen, and by source.
    let trainings: [[RealPeopleTally]]
    let failures: [Failure]

    package init(
      name: String, exercises: Set<String>, trainings: [[RealPeopleTally]],
      failures: [Failure] = []
    ) {
      (self.name, self.exercises) = (name, exercises)
      (self.trainings, self.failures) = (trainings, failures)
    }
  }

  package struct Value: Encodable {
    package let value: Double
    package let deviation: Double?
  }

  package struct Model: Encodable {
    let name: String
    /// How many of them the figures are the mean of.
    fileprivate(set) var trainings: Int?
    fileprivate(set) var divisions: Int?
    package fileprivate(set) var figures: [String: Value] = [:]
    /// By label: segments and windows that are right, and how many there are.
    fileprivate(set) var classes: [String: ClassFigures] = [:]
    let failures: [Failure]

    fileprivate var repeats: Int { trainings ?? divisions ?? 1 }
  }

  /// What there are several of in a result.
  package enum Repeats: String, Sendable {
    case trainings
    /// Of the sources, where rules are chosen.
    case divisions
  }

  struct ClassFigures: Encodable {
    let segments: Double
    let right: Double
    let windows: Double
    let rightWindows: Double
  }

  let schema = 1
  let clips: Int
  let sources: Int
  package private(set) var models: [Model] = []
  /// For two models with the same labels, the second less the first, by figure.
  package private(set) var differences: [String: Value] = [:]

  /// What there are several of in some results.
  private let repeated: Repeats

  private enum CodingKeys: CodingKey {
    case schema, clips, sources, models, differences
  }

  package init(
    _ results: [Result], clipCount: Int, sourceCount: Int, repeated: Repeats = .trainings
  ) {
    (clips, sources, self.repeated) = (clipCount, sourceCount, repeated)
    let draws = results.map { SourceBootstrap.draws(of: $0.trainings) }
    for (result, draws) in zip(results, draws) {
      models.append(Self.model(of: result, draws, repeated))
    }
    if results.count == 2, results[0].exercises == results[1].exercises {
      differences = Self.differences(results, draws)
    }
  }

  private static func model(
    of result: Result, _ draws: [RealPeopleTally], _ repeated: Repeats
  ) -> Model {
    var model = Model(name: result.name, failures: result.failures)
    switch repeated {
    case .trainings: model.trainings = result.trainings.count
    case .divisions: model.divisions = result.trainings.count
    }
    for figure in RealPeopleFigure.allCases {
      guard let value = mean(figure, of: result) else { continue }
      let values = draws.compactMap { figure.value(of: $0, exercises: result.exercises) }
      model.figures[figure.rawValue] = Value(
        value: value, deviation: SourceBootstrap.deviation(values))
    }
    let count = Double(max(1, result.trainings.count))
    let sum = result.trainings.joined().reduce(into: RealPeopleTally()) { $0 += $1 }
    for (label, share) in sum.segments {
      let windows = sum.windows[label] ?? .init()
      model.classes[label] = ClassFigures(
        segments: share.all / count, right: share.right / count, windows: windows.all / count,
        rightWindows: windows.right / count)
    }
    return model
  }

  /// The mean over the trainings.
  private static func mean(_ figure: RealPeopleFigure, of result: Result) -> Double? {
    let values = result.trainings.compactMap { tallies in
      figure.value(
        of: tallies.reduce(into: RealPeopleTally()) { $0 += $1 }, exercises: result.exercises)
    }
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  private static func differences(
    _ results: [Result], _ draws: [[RealPeopleTally]]
  ) -> [String: Value] {
    var differences: [String: Value] = [:]
    for figure in RealPeopleFigure.allCases {
      guard let first = mean(figure, of: results[0]), let second = mean(figure, of: results[1])
      else { continue }
      let values = zip(draws[0], draws[1]).compactMap { pair -> Double? in
        let exercises = results[0].exercises
        guard let first = figure.value(of: pair.0, exercises: exercises),
          let second = figure.value(of: pair.1, exercises: exercises)
        else { return nil }
        return second - first
      }
      differences[figure.rawValue] = Value(
        value: second - first, deviation: SourceBootstrap.deviation(values))
    }
    return differences
  }

  // MARK: - Table

  package var table: String {
    var text = "\n\(clips) clips of \(sources) sources; ± one deviation over the sources"
    text += models.contains { $0.repeats > 1 } ? " and \(repeated.rawValue)\n\n" : "\n\n"
    var table = TextTable(
      [("", .left)] + models.map { ($0.name, .right) }
        + (differences.isEmpty ? [] : [("difference", .right)]))
    for figure in RealPeopleFigure.allCases {
      let values = models.map { $0.figures[figure.rawValue] }
      guard values.contains(where: { $0 != nil }) else { continue }
      let difference = differences[figure.rawValue]
      table.add(
        [figure.rawValue] + values.map { Self.text($0, figure) }
          + (differences.isEmpty ? [] : [Self.text(difference, figure)]))
    }
    text += table.text
    for model in models { text += "\n\(model.name)\n\n" + Self.classes(of: model) }
    return text
  }

  private static func text(_ value: Value?, _ figure: RealPeopleFigure) -> String {
    guard let value else { return "–" }
    func text(_ number: Double) -> String {
      figure.isShare ? (100 * number).fixed(1) : number.fixed(2)
    }
    let unit = figure.isShare ? " %" : ""
    return text(value.value) + (value.deviation.map { " ± \(text($0))" } ?? "") + unit
  }

  private static func classes(of model: Model) -> String {
    var table = TextTable([
      ("label", .left), ("segments", .right), ("right", .right), ("windows", .right),
      ("right", .right),
    ])
    for (label, figures) in model.classes.sorted(by: { $0.key < $1.key }) {
      table.add([
        label, figures.segments.fixed(0), figures.right.fixed(1), figures.windows.fixed(0),
        figures.windows > 0 ? (figures.rightWindows / figures.windows).percent : "–",
      ])
    }
    var text = table.text + "\n"
    for kind in Failure.Kind.allCases {
      let count = model.failures.count { $0.kind == kind }
      text += "  \(kind.rawValue): \((Double(count) / Double(max(1, model.repeats))).fixed(1))\n"
    }
    return text
  }
}
