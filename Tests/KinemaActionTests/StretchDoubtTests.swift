import KinemaAction
import Testing

private let labels = ["deadlifts", "lying", "other", "squats"]

private func doubt(broad: [String: [String]]? = ["legs": ["deadlifts", "squats"]])
  -> StretchDoubt?
{
  var rules = ActionRecognizer.Rules()
  rules.groups = ["low": ["deadlifts", "lying", "squats"]]
  rules.broadGroups = broad
  return StretchDoubt(labels: labels, recognition: rules)
}

/// The group beside the label of windows that are all alike.
private func group(course: [Double], windows: [Double]) throws -> String? {
  let groups = try #require(doubt()).groups(
    of: [windows, windows, windows], inCourse: [course, course, course])
  #expect(Set(groups).count == 1)
  return groups[0]
}

@Suite("Groups beside a label")
struct StretchDoubtTests {
  @Test("a label that course and windows hold likely has none")
  func confident() throws {
    #expect(try group(course: [0, 0, 0, 1], windows: [0.05, 0, 0.05, 0.9]) == nil)
  }

  @Test("where the windows waver between two labels, the group of both is named")
  func wavering() throws {
    #expect(try group(course: [0.05, 0, 0, 0.95], windows: [0.5, 0, 0, 0.5]) == "legs")
  }

  @Test("a label needs a probability of 0.9 in the mix, of which 0.4 is the windows' own")
  func threshold() throws {
    #expect(try group(course: [0.09, 0, 0, 0.91], windows: [0.09, 0, 0, 0.91]) == nil)
    #expect(try group(course: [0.11, 0, 0, 0.89], windows: [0.11, 0, 0, 0.89]) == "legs")
    // The course alone is confident enough, with 0.4 of the windows' doubt it is not:
    // (0.97 / 0.03)^0.6 · (0.5 / 0.5)^0.4 = 8.05, of 9.05 in all 0.889.
    #expect(try group(course: [0.03, 0, 0, 0.97], windows: [0.5, 0, 0, 0.5]) == "legs")
    // (0.98 / 0.02)^0.6 = 10.3, of 11.3 in all 0.912.
    #expect(try group(course: [0.02, 0, 0, 0.98], windows: [0.5, 0, 0, 0.5]) == nil)
  }

  @Test("the smallest group that is confident and contains the label is named; none where none is")
  func smallest() throws {
    #expect(try group(course: [0, 0.3, 0, 0.7], windows: [0.2, 0.4, 0, 0.4]) == "low")
    #expect(try group(course: [0, 0, 0.4, 0.6], windows: [0, 0, 0.6, 0.4]) == nil)
  }

  @Test("the doubt of all windows of a stretch counts, and not that of the next stretch")
  func stretches() throws {
    let squats = [0.02, 0, 0, 0.98]
    let clear = [0.01, 0.0, 0.0, 0.99]
    let unclear = [0.9, 0.0, 0.0, 0.1]
    let lying = [0.0, 1.0, 0.0, 0.0]
    let groups = try #require(doubt()).groups(
      of: [clear, unclear, unclear, lying], inCourse: [squats, squats, squats, lying])
    #expect(groups == ["legs", "legs", "legs", nil])
  }

  @Test("in a stream the windows of the label so far count, and not those of the label before")
  func stream() throws {
    let own = try #require(doubt())
    var stretch: StretchDoubt.Stretch?
    let squats = [0.02, 0, 0, 0.98]
    func group(_ label: Int, _ window: [Double], _ course: [Double]) -> String? {
      own.group(beside: label, window, inCourse: course, after: &stretch)
    }
    #expect(group(3, [0.01, 0, 0, 0.99], squats) == nil)
    // The mean of the windows is now 0.455 and 0.545, then 0.63 and 0.37.
    #expect(group(3, [0.9, 0, 0, 0.1], squats) == nil)
    #expect(group(3, [0.99, 0, 0, 0.01], squats) == "legs")
    #expect(group(1, [0, 1, 0, 0], [0, 1, 0, 0]) == nil)
    #expect(group(3, [0.01, 0, 0, 0.99], squats) == nil)
  }

  @Test("models without broad groups have none")
  func withoutBroadGroups() {
    #expect(doubt(broad: nil) == nil)
  }

  @Test("a decoded window keeps its label beside the group")
  func decoded() {
    var rules = ActionRecognizer.Rules()
    rules.broadGroups = ["legs": ["deadlifts", "squats"]]
    let decoder = ActionDecoder(
      labels: labels, recognition: rules, windowDuration: 2, stride: 1.0 / 3)
    let windows = (0..<6).map { index in
      ActionPrediction(
        timeRange: Double(index) / 3..<Double(index) / 3 + 2, status: .action,
        topLabel: "squats", confidence: 0.55,
        probabilities: ["deadlifts": 0.45, "lying": 0, "other": 0, "squats": 0.55])
    }
    for window in decoder.decode(windows) {
      #expect(window.topLabel == "squats" && window.group == "legs")
    }
  }
}
