import KinemaTraining
import Testing

@Suite("The confusion matrix")
struct ConfusionMatrixTests {
  /// Three labels; c occurs once and nothing is taken for it.
  private var matrix: ConfusionMatrix {
    var matrix = ConfusionMatrix(labels: ["a", "b", "c", "d"])
    matrix.add(truth: 0, predicted: 0, count: 8)
    matrix.add(truth: 0, predicted: 1, count: 2)
    matrix.add(truth: 1, predicted: 0, count: 1)
    matrix.add(truth: 1, predicted: 1, count: 4)
    matrix.add(truth: 2, predicted: 1)
    return matrix
  }

  @Test("accuracy, precision, recall and F1 are those worked out by hand")
  func metrics() throws {
    #expect(matrix.total == 16)
    #expect(matrix.correctCount == 12)
    #expect(matrix.accuracy == 0.75)
    let classes = matrix.perClass
    #expect(classes.map(\.support) == [10, 5, 1, 0])
    #expect(classes[0].precision == 8.0 / 9)
    #expect(classes[0].recall == 0.8)
    #expect(classes[0].f1 == 16.0 / 19)
    #expect(classes[1].precision == 4.0 / 7)
    #expect(classes[1].recall == 0.8)
    #expect(classes[1].f1 == 8.0 / 12)
  }

  @Test("a share of nothing is nil, and F1 is 0 where a label is never found")
  func undefined() {
    let classes = matrix.perClass
    #expect(classes[2].precision == nil)
    #expect(classes[2].recall == 0)
    #expect(classes[2].f1 == 0)
    #expect(classes[3].precision == nil)
    #expect(classes[3].recall == nil)
    #expect(classes[3].f1 == nil)
    let empty = ConfusionMatrix(labels: ["a"])
    #expect(empty.accuracy == 0)
    #expect(empty.macroF1 == nil)
    #expect(empty.majorityBaseline == nil)
  }

  @Test("macro F1 is the mean over the labels that occur")
  func macro() throws {
    let expected = (16.0 / 19 + 8.0 / 12 + 0) / 3
    #expect(abs(try #require(matrix.macroF1) - expected) < 1e-12)
  }

  @Test("the baseline is the share of the most frequent label")
  func baseline() throws {
    let baseline = try #require(matrix.majorityBaseline)
    #expect(baseline.label == "a")
    #expect(baseline.accuracy == 0.625)
  }
}
