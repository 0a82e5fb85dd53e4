import KinemaTraining
import Testing

@Suite("Takes left out")
struct LeaveOneOutTests {
  @Test("each take of a class is left out once, and one always stays")
  func parts() {
    // Three takes of class 0, two of class 1, one of class 2.
    let groups = [(0, 0), (0, 1), (0, 2), (1, 3), (1, 4), (2, 5)].map { (label: $0.0, group: $0.1) }
    #expect(LeaveOneOut.parts(groups) == [[0, 3], [1, 4], [2]])
  }

  @Test("takes of one person are left out together")
  func people() {
    let groups = [(0, 7), (0, 7), (0, 8), (1, 7), (1, 8)].map { (label: $0.0, group: $0.1) }
    #expect(LeaveOneOut.parts(groups) == [[0, 1, 3], [2, 4]])
  }

  @Test("nothing can be left out of one take a class")
  func single() {
    #expect(LeaveOneOut.parts([(label: 0, group: 0), (label: 1, group: 1)]).isEmpty)
  }

  @Test("seven of nine takes right may mean anything from 45 to 94 %")
  func interval() throws {
    var matrix = ConfusionMatrix(labels: ["wave", "clap", "other"])
    matrix.add(truth: 0, predicted: 0, count: 7)
    matrix.add(truth: 1, predicted: 0)
    matrix.add(truth: 0, predicted: 1)
    let result = LeaveOneOut(takes: matrix)
    let interval = try #require(result.interval)
    #expect(abs(interval.lowerBound - 0.4526) < 1e-3)
    #expect(abs(interval.upperBound - 0.9368) < 1e-3)
    let confused = try #require(result.confused)
    #expect(confused.first == "wave" && confused.second == "clap" && confused.count == 2)
    #expect(LeaveOneOut(takes: ConfusionMatrix(labels: ["a"])).interval == nil)
  }

  @Test("few takes can soften the probabilities, never sharpen them")
  func softening() {
    let certain: [[Float]] = Array(repeating: [0.9, 0.1], count: 9)
    let labels = [Int](repeating: 0, count: 9)
    #expect(Temperature.softening(certain, labels: labels) == 1)
    #expect(Temperature.softening(certain, labels: [0, 1, 0, 1, 0, 1, 0, 1, 0]) > 2)
  }
}
