import Kinema
import KinemaDepth
import KinemaFiles
import KinemaReport

/// The angles of the people of a file.
struct AnglesReport {
  private struct Moment {
    let time: Double
    let person: Int
    let angles: [BodyAngle: LiftedBody.Angle]
  }

  /// An angle of a person over time, in a few numbers.
  private struct Summary {
    let mean, error, least, greatest: Double
    /// Degrees in a minute; 0 where all is seen at one moment.
    let trend: Double
    /// Whether it lasts long enough for a trend.
    let hasTrend: Bool
    /// The longest time in which it hardly changes, and its mean there; `nil` where it always does.
    let hold: (mean: Double, seconds: Double)?

    /// How far from its mean so far an angle is at most that is held, in degrees, and for how many seconds at
    /// least.
    private static let (heldWithin, leastHold) = (5.0, 1.0)

    /// In shorter videos a trend is the course of one movement, in seconds.
    private static let leastDuration = 20.0

    /// `nil` without moments.
    init?(_ moments: [(time: Double, angle: LiftedBody.Angle)]) {
      guard let first = moments.first else { return nil }
      let count = Double(moments.count)
      let values = moments.map { Double($0.angle.value) }
      let mean = values.reduce(0, +) / count
      let middle = moments.reduce(0) { $0 + $1.time } / count
      var (spread, slope) = (0.0, 0.0)
      for (moment, value) in zip(moments, values) {
        spread += (moment.time - middle) * (moment.time - middle)
        slope += (moment.time - middle) * (value - mean)
      }
      self.mean = mean
      error = moments.reduce(0) { $0 + Double($1.angle.error) } / count
      least = values.min() ?? Double(first.angle.value)
      greatest = values.max() ?? Double(first.angle.value)
      trend = spread > 0 ? 60 * slope / spread : 0
      hasTrend = (moments.last?.time ?? 0) - first.time >= Self.leastDuration
      hold = Self.longestHold(zip(moments, values).map { ($0.time, $1) })
    }

    private static func longestHold(
      _ points: [(time: Double, value: Double)]
    ) -> (mean: Double, seconds: Double)? {
      var longest: (mean: Double, seconds: Double)?
      var (start, sum, count) = (0.0, 0.0, 0.0)
      for point in points {
        if count == 0 || abs(point.value - sum / count) > heldWithin {
          (start, sum, count) = (point.time, 0, 0)
        }
        (sum, count) = (sum + point.value, count + 1)
        let seconds = point.time - start
        if seconds >= leastHold, seconds > longest?.seconds ?? 0 {
          longest = (sum / count, seconds)
        }
      }
      return longest
    }
  }

  let path, name: String
  private var moments: [Moment] = []
  /// The sum of what was estimated for the height of each person, and how often.
  private var statures: [Int: (sum: Double, count: Int)] = [:]

  init(path: String, name: String) { (self.path, self.name) = (path, name) }

  mutating func add(_ body: LiftedBody, of person: Int, at time: Double) {
    moments.append(Moment(time: time, person: person, angles: body.angles))
    let old = statures[person] ?? (0, 0)
    statures[person] = (old.sum + Double(body.stature), old.count + 1)
  }

  private var people: [Int] { statures.keys.sorted() }

  private func series(
    _ angle: BodyAngle, of person: Int
  ) -> [(time: Double, angle: LiftedBody.Angle)] {
    moments.filter { $0.person == person }.compactMap { moment in
      moment.angles[angle].map { (moment.time, $0) }
    }
  }

  /// The charts of each person: left and right of a joint in one.
  var clips: [AnglesPage.Clip] {
    people.map { person in
      AnglesPage.Clip(
        name: people.count > 1 ? "\(name), person \(person)" : name,
        charts: AnglePair.all.map { pair in
          AnglesPage.Panel(
            name: pair.name,
            lines: pair.angles.map { angle in
              AnglesPage.Line(
                name: pair.side(of: angle),
                points: series(angle, of: person).map {
                  (time: $0.time, value: Double($0.angle.value), error: Double($0.angle.error))
                })
            })
        })
    }
  }
}

/// An angle of both sides, or one of the middle.
private struct AnglePair {
  let name: String
  let angles: [BodyAngle]

  /// All angles, left and right together, in their order.
  static let all: [AnglePair] = BodyAngle.allCases.compactMap { angle in
    let text = angle.rawValue
    if text.hasPrefix("right") { return nil }
    guard text.hasPrefix("left") else { return AnglePair(name: words(text), angles: [angle]) }
    let joint = text.dropFirst(4)
    let right = BodyAngle(rawValue: "right\(joint)")
    return AnglePair(name: words(String(joint)), angles: [angle] + [right].compactMap(\.self))
  }

  /// `trunkLean` as “trunk lean”.
  private static func words(_ name: String) -> String {
    var words = ""
    for character in name {
      if character.isUppercase, !words.isEmpty { words += " " }
      words += character.lowercased()
    }
    return words
  }

  func side(of angle: BodyAngle) -> String {
    angles.count == 1 ? "" : angle.rawValue.hasPrefix("left") ? "left" : "right"
  }
}

extension AnglesReport: SceneReport {
  var json: JSONObject {
    let frames = moments.map { moment -> JSONObject in
      [
        "time": moment.time, "person": moment.person,
        "angles": Dictionary(
          uniqueKeysWithValues: moment.angles.map { angle, value in
            (
              angle.rawValue,
              [
                "value": value.value.rounded(toPlaces: 1),
                "error": value.error.rounded(toPlaces: 1),
              ]
            )
          }),
      ]
    }
    let persons = people.map { person -> JSONObject in
      let stature = statures[person] ?? (0, 1)
      let summaries = BodyAngle.allCases.compactMap { angle in
        Summary(series(angle, of: person)).map { summary -> (String, JSONObject) in
          (
            angle.rawValue,
            [
              "mean": summary.mean.rounded(toPlaces: 1),
              "error": summary.error.rounded(toPlaces: 1),
              "least": summary.least.rounded(toPlaces: 1),
              "greatest": summary.greatest.rounded(toPlaces: 1),
              "trend": summary.trend.rounded(toPlaces: 1),
              "held": summary.hold?.mean.rounded(toPlaces: 1),
              "heldSeconds": summary.hold?.seconds.rounded(toPlaces: 2),
            ]
          )
        }
      }
      return [
        "id": person,
        "stature": (stature.sum / Double(stature.count)).rounded(toPlaces: 2),
        "angles": Dictionary(uniqueKeysWithValues: summaries),
      ]
    }
    return ["schema": 1, "video": path, "frames": frames, "persons": persons]
  }

  /// The angles of the person who is measured longest as a motion of OpenSim (“Storage (.sto) and Motion
  /// (.mot) Files” of its documentation), in degrees.
  var motion: String {
    let counts = Dictionary(grouping: moments, by: \.person).mapValues(\.count)
    let person = counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
    let rows = moments.filter { $0.person == person }
    var lines = [
      name, "version=1", "nRows=\(rows.count)", "nColumns=\(BodyAngle.allCases.count + 1)",
      "inDegrees=yes", "endheader",
      (["time"] + BodyAngle.allCases.map(\.rawValue)).joined(separator: "\t"),
    ]
    for row in rows {
      let values = BodyAngle.allCases.map { Double(row.angles[$0]?.value ?? .nan).fixed(2) }
      lines.append(([row.time.fixed(5)] + values).joined(separator: "\t"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  static let csvHeader =
    "file,time,person,"
    + BodyAngle.allCases.flatMap { [$0.rawValue, "\($0.rawValue)Error"] }.joined(separator: ",")
    + "\n"

  var csv: String {
    moments.map { moment in
      CSV.line(
        [name, "\(moment.time)", "\(moment.person)"]
          + BodyAngle.allCases.flatMap { angle -> [String] in
            guard let value = moment.angles[angle] else { return ["", ""] }
            return [Double(value.value).fixed(1), Double(value.error).fixed(1)]
          })
    }.joined()
  }

  var table: String {
    guard !people.isEmpty else {
      return "\(name)\n  nobody of whom enough is seen\n"
    }
    return people.map { person in
      var table = TextTable([
        ("", .left), ("mean", .right), ("error", .right), ("least", .right), ("greatest", .right),
        ("a minute", .right), ("left − right", .right), ("held", .right),
      ])
      for pair in AnglePair.all {
        let summaries = pair.angles.compactMap { Summary(series($0, of: person)) }
        for (angle, summary) in zip(pair.angles, summaries) {
          let difference =
            summaries.count == 2 && angle == pair.angles[0]
            ? Self.degrees(summaries[0].mean - summaries[1].mean, sign: true) : ""
          table.add([
            [pair.side(of: angle), pair.name].filter { !$0.isEmpty }.joined(separator: " "),
            Self.degrees(summary.mean), "± \(Self.degrees(summary.error))",
            Self.degrees(summary.least), Self.degrees(summary.greatest),
            summary.hasTrend ? Self.degrees(summary.trend, sign: true) : "–", difference,
            summary.hold.map { "\(Self.degrees($0.mean)), \($0.seconds.fixed(1)) s" } ?? "–",
          ])
        }
      }
      let title = people.count > 1 ? "\(name), person \(person)" : name
      return "\(title)\n\(table.text)"
    }.joined(separator: "\n")
  }

  private static func degrees(_ value: Double, sign: Bool = false) -> String {
    let text = value.fixed(0)
    // Without a sign before zero.
    return (sign && value > 0.5 ? "+" : "") + (text == "-0" ? "0" : text) + "°"
  }
}

extension BinaryFloatingPoint {
  /// Rounded to some decimal places, for output.
  func rounded(toPlaces places: Int) -> Double {
    let factor = (0..<places).reduce(1.0) { product, _ in product * 10 }
    return (Double(self) * factor).rounded() / factor
  }
}
