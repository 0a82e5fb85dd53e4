import Foundation
import KinemaAction
import KinemaErrors
import KinemaModelFiles
import Testing

@Suite("Models made to do harm")
struct HostileModelTests {
  @Test("the smallest classifier, from which the others differ, is loaded and predicts")
  func smallest() throws {
    let classifier = try load(.classifier(layers: WireMessage.smallestLayers()))
    let prediction = try classifier.predict([Float](repeating: 1, count: 108))
    #expect(prediction.probabilities == [0.5, 0.5])
    #expect(classifier.information.parameterCount == 216)
  }

  @Test("an input of Double is accepted, other element types are not")
  func elementTypes() throws {
    let layers = WireMessage.smallestLayers()
    #expect(try load(.classifier(dataType: 65600, layers: layers)).windowSize == 2)
    for other in [65552, 131104, 0] {
      expectRefusal(
        .classifier(dataType: other, layers: layers), .unsupportedModel,
        "expected an action classifier")
    }
  }

  @Test("a layer that uses what a later one makes is a cycle")
  func cycle() {
    var layers = WireMessage.smallestLayers()
    layers[0] = .layer("sum", ["poses", "p"], ["f"], kind: 880)
    expectRefusal(
      .classifier(layers: layers), .malformedModel,
      "layer “sum” (addBroadcastable) uses the blob “p” before layer “softmax” makes it")
  }

  @Test("a layer that uses a missing blob is refused")
  func missingInput() {
    var layers = WireMessage.smallestLayers()
    layers.remove(at: 0)
    expectRefusal(
      .classifier(layers: layers), .malformedModel, "uses the blob “f”, which no layer makes")
  }

  @Test("two layers that make one blob are refused")
  func duplicateOutput() {
    let layers = WireMessage.smallestLayers()
    expectRefusal(
      .classifier(layers: layers + [layers[0]]), .malformedModel, "makes the blob “f” a second time"
    )
  }

  @Test("as many labels as classes, each once")
  func labels() {
    let layers = WireMessage.smallestLayers()
    expectRefusal(
      .classifier(layers: layers, labels: ["a", "b", "c"]), .malformedModel,
      "has 3 labels but 2 classes")
    expectRefusal(
      .classifier(layers: layers, labels: ["a", "a"]), .malformedModel, "has the label “a” twice")
    expectRefusal(.classifier(layers: layers, labels: []), .malformedModel, "has no labels")
  }

  @Test("a blob of probabilities that is not there is refused")
  func missingProbabilities() {
    expectRefusal(
      .classifier(layers: WireMessage.smallestLayers(), probabilities: "q"), .malformedModel,
      "gives out the blob “q”, which no layer makes")
  }

  @Test("weights must be as many as the shapes say, and finite")
  func weights() {
    expectRefusal(
      .classifier(layers: WireMessage.smallestLayers(weights: [1, 2, 3])), .malformedModel,
      "layer “product” (innerProduct) has 3 weights instead of 216")
    for value in [Float.nan, .infinity] {
      let weights = [value] + [Float](repeating: 0, count: 215)
      expectRefusal(
        .classifier(layers: WireMessage.smallestLayers(weights: weights)), .malformedModel,
        "has a weight that is no finite number")
    }
  }

  @Test("a window with a number of frames that cannot be is refused", arguments: [0, -1, Int.min])
  func impossibleWindow(frames: Int) {
    expectRefusal(
      .classifier(window: [frames, 3, 18], layers: WireMessage.smallestLayers()),
      .unsupportedModel, "expected an action classifier")
  }

  @Test("a window too large for memory is refused", arguments: [1 << 20, 1 << 40, Int.max])
  func largeWindow(frames: Int) {
    expectRefusal(
      .classifier(window: [frames, 3, 18], layers: WireMessage.smallestLayers()), .tooLarge,
      "is a blob of more than")
  }

  @Test("lengths of two gigabytes that are not there are refused")
  func hugeClaims() {
    let inner = WireMessage().data(20, [1, 2, 3], claiming: 2 << 30)
    var layers = WireMessage.smallestLayers()
    layers[1] = .layer("product", ["f"], ["s"], kind: 140, inner)
    expectRefusal(.classifier(layers: layers), .malformedModel, "begins 2147483648 bytes")
    layers[1] = .layer(
      "product", ["f"], ["s"], kind: 140, WireMessage().integer(1, Int.max).integer(2, Int.max))
    expectRefusal(.classifier(layers: layers), .malformedModel, "impossible number of weights")
    layers[1] = .layer(
      "product", ["f"], ["s"], kind: 140, WireMessage().integer(1, 1 << 20).integer(2, 1 << 19))
    expectRefusal(.classifier(layers: layers), .tooLarge, "too many weights")
  }

  @Test(
    "sizes that overflow are refused",
    arguments: [
      [Int.max, 1], [1 << 31, 1 << 33], [-1, 1], [0, 0], [Int.min, Int.min],
    ])
  func convolutionSizes(kernel: [Int]) {
    for field: UInt64 in [20, 30, 40] {
      let parameters = WireMessage().integer(1, 2).integer(2, 3).integers(field, kernel)
        .weights(90, [Float](repeating: 0, count: 54))
      let layers: [WireMessage] = [
        .layer("conv", ["poses"], ["p"], kind: 100, parameters)
      ]
      expectRefusal(.classifier(layers: layers), .malformedModel, "layer “conv” (convolution)")
    }
  }

  @Test("paddings without bounds are refused", arguments: [Int.max, 1 << 40, -5])
  func paddings(amount: Int) {
    let pair = WireMessage().integer(1, amount).integer(2, amount)
    let borders = WireMessage().message(10, pair).message(10, pair)
    let parameters = WireMessage().message(1, WireMessage()).message(10, borders)
    let layers: [WireMessage] = [.layer("pad", ["poses"], ["p"], kind: 200, parameters)]
    expectRefusal(.classifier(layers: layers), .malformedModel, "layer “pad” (padding)")
  }

  @Test("work without end is refused")
  func endlessWork() {
    // A wide blob, then thousands of layers that each pass over it.
    var layers: [WireMessage] = []
    let pair = WireMessage().integer(1, 40_000)
    let none = WireMessage()
    let borders = WireMessage().message(10, pair).message(10, none)
    layers.append(
      .layer(
        "pad", ["poses"], ["b0"], kind: 200,
        WireMessage().message(1, none).message(10, borders)))
    for index in 1...4000 {
      layers.append(
        .layer("r\(index)", ["b\(index - 1)"], ["b\(index)"], kind: 130, none.message(10, none)))
    }
    expectRefusal(
      .classifier(layers: layers, probabilities: "b4000"), .tooLarge, "more work than")
  }

  @Test("layers without end are refused")
  func endlessLayers() {
    let layers = (0..<5000).map { index in
      WireMessage.layer(
        "r", ["poses"], ["b\(index)"], kind: 130, WireMessage().message(10, .init()))
    }
    expectRefusal(.classifier(layers: layers), .tooLarge, "has more than 4096 layers")
  }

  @Test("lists and metadata without end are refused")
  func endlessLists() {
    let axes = WireMessage().integers(1, [Int](repeating: 1, count: 100_000))
    expectRefusal(
      .classifier(layers: [.layer("t", ["poses"], ["p"], kind: 985, axes)]), .tooLarge,
      "has a list of more than 65536 whole numbers")
    let fields = WireMessage().appending([UInt8](repeating: 8, count: 20_000))
    expectRefusal(
      .classifier(layers: [.layer("t", ["poses"], ["p"], kind: 985, fields)]), .tooLarge,
      "has a layer of more than 4096 parameters")
    let metadata = (0..<2000).reduce(WireMessage()) { message, index in
      message.message(100, WireMessage().text(1, "key \(index)").text(2, "value"))
    }
    expectRefusal(
      WireMessage().integer(1, 4).message(2, WireMessage().message(100, metadata)), .tooLarge,
      "has more than 1000 entries of metadata")
  }

  @Test("kinds of layers that are not supported are named")
  func unsupportedKinds() {
    var layers = WireMessage.smallestLayers()
    layers[0] = .layer("memory", ["poses"], ["f"], kind: 420)
    expectRefusal(
      .classifier(layers: layers), .unsupportedModel,
      "layer “memory” (uniDirectionalLSTM) is of a kind that action classifiers do not use")
    layers[0] = .layer("new", ["poses"], ["f"], kind: 4711)
    expectRefusal(.classifier(layers: layers), .unsupportedModel, "layer “new” (field 4711)")
  }

  @Test("names that would write to the terminal are shown harmlessly")
  func controlCharacters() {
    var layers = WireMessage.smallestLayers()
    layers[0] = .layer("\u{1b}[2J\r\n", ["poses"], ["f"], kind: 420)
    do {
      _ = try load(.classifier(layers: layers))
      Issue.record("the model was loaded")
    } catch {
      let shown = "\(error)".unicodeScalars.map(\.value)
      #expect(shown.allSatisfy { $0 >= 32 }, "\(shown)")
    }
  }

  @Test("text that is not UTF-8 is refused")
  func brokenText() {
    let bytes = WireMessage().integer(1, 4).message(
      2, WireMessage().message(100, WireMessage().data(1, [0xff, 0xfe])))
    expectRefusal(bytes, .malformedModel, "is no text in UTF-8")
  }

  @Test("windows of another size and numbers that are none are refused")
  func windows() throws {
    let classifier = try load(.classifier(layers: WireMessage.smallestLayers()))
    #expect(throws: ActionError.self) { try classifier.predict([1, 2, 3]) }
    #expect(throws: ActionError.self) {
      try classifier.predict([Float](repeating: .nan, count: 108))
    }
  }

  @Test("results that are not numbers are an error, not a prediction")
  func overflow() throws {
    let weights = [Float](repeating: .greatestFiniteMagnitude, count: 216)
    let classifier = try load(.classifier(layers: WireMessage.smallestLayers(weights: weights)))
    #expect(throws: ActionError.self) {
      try classifier.predict([Float](repeating: 1000, count: 108))
    }
  }

  private func load(_ message: WireMessage) throws -> ActionClassifier {
    try ActionClassifier(message.bytes, name: "hostile.mlmodel")
  }

  private func expectRefusal(
    _ message: WireMessage, _ code: ActionError.Code, _ part: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      _ = try load(message)
      Issue.record("the model was loaded", sourceLocation: sourceLocation)
    } catch let error as ActionError {
      #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
      #expect(error.message.contains(part), sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(error) is no ActionError", sourceLocation: sourceLocation)
    }
  }
}
