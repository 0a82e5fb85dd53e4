import KinemaAction
import KinemaCounting
import KinemaModelFiles
import Testing

private let labels = ["dancing", "falling", "lying", "other", "squats", "standing", "walking"]

/// A posture of some kinds; the rest of the probability is that of kneeling.
private func posture(
  _ shares: [HumanBodyPosture.Kind: Double], plainness: Double
) -> HumanBodyPosture {
  var shares = shares
  shares[.kneeling] = 1 - shares.values.reduce(0, +)
  return HumanBodyPosture(
    shares: HumanBodyPosture.Kind.allCases.map { shares[$0] ?? 0 }, plainness: plainness)
}

/// A window by its labels after a posture was read.
private func read(
  _ window: [Double], _ posture: HumanBodyPosture, weight: Double = 1, plainnessPower: Double = 1
) throws -> [String: Double] {
  let rules = PostureViews.Rules(weight: weight, plainnessPower: plainnessPower)
  let views = try #require(PostureViews(labels: labels, kinds: LabelKinds(), rules: rules))
  let read = views.read(window, posture)
  #expect(abs(read.reduce(0, +) - window.reduce(0, +)) < 1e-9)
  return Dictionary(uniqueKeysWithValues: zip(labels, read))
}

@Suite("Labels that are read off the posture")
struct PostureViewsTests {
  @Test("what is no exercise is named by the posture, exercises and falls keep what they have")
  func everyday() throws {
    let walks = posture([.walking: 0.75, .standing: 0.25], plainness: 0.8)
    // Walking has a score of 0.6, standing of 0.2, other and dancing of 0.12 and 0.08, and lying of 0.
    let window = try read([0.12, 0.1, 0, 0.18, 0.3, 0.27, 0.03], walks)
    #expect(
      window == [
        "squats": 0.3, "falling": 0.1, "walking": 0.27, "standing": 0.18, "other": 0.12,
        "dancing": 0.03, "lying": 0,
      ])
  }

  @Test("lying is lying on whichever side, and postures without a label are everything else")
  func kinds() throws {
    let lies = posture([.lyingProne: 0.25, .lyingOnSide: 0.5], plainness: 1)
    #expect(try read([0, 0, 0.1, 0.2, 0, 0.7, 0], lies)["lying"] == 0.7)
    let kneels = posture([.standing: 0.25], plainness: 1)
    #expect(try read([0, 0, 0.1, 0.2, 0, 0.7, 0], kneels)["other"] == 0.7)
  }

  @Test("the weight is that of the posture, the power says how plain the person has to be")
  func rules() throws {
    let stands = posture([.standing: 1], plainness: 0.25)
    let window = [0, 0, 0, 0.7, 0, 0, 0.3]
    func standing(_ weight: Double, _ plainnessPower: Double) throws -> Double? {
      try read(window, stands, weight: weight, plainnessPower: plainnessPower)["standing"]
    }
    // The score of standing and that of everything else: 0.25 and 0.75, 0.25 and 0.6, 0.9 and 0.07, 0 and 0.7.
    #expect(try standing(1, 1) == 0.3)
    #expect(try standing(0.5, 0.5) == 0.3)
    #expect(try standing(0.9, 0) == 0.7)
    #expect(try standing(0, 0) == 0)
    // Walking has 0.15, standing 0.125.
    #expect(try standing(0.5, 1) == 0)
  }

  @Test("whether steps are walking or running, the posture decides as far as it sees steps")
  func gaits() throws {
    let rules = PostureViews.Rules(weight: 0.25, plainnessPower: 0)
    let labels = ["other", "running", "walking"]
    let views = try #require(PostureViews(labels: labels, kinds: LabelKinds(), rules: rules))
    // By the network's own share walking would have a score of 0.68, running of 0.23.
    let runs = posture([.running: 0.75, .standing: 0.25], plainness: 1)
    #expect(views.read([0.05, 0.05, 0.9], runs) == [0.05, 0.9, 0.05])
    let stands = posture([.standing: 1], plainness: 1)
    // Of nobody who takes steps the network knows better; standing is everything else of this model.
    #expect(views.read([0.1, 0.2, 0.7], stands) == [0.2, 0.1, 0.7])
  }

  @Test("a model without postures, and one that knows nothing else beside exercises, is left alone")
  func otherModels() {
    let rules = PostureViews.Rules(weight: 1, plainnessPower: 1)
    for labels in [["lunges", "other"], ["lunges", "standing"], ["falling", "lying"]] {
      #expect(PostureViews(labels: labels, kinds: LabelKinds(), rules: rules) == nil)
    }
  }

  @Test("the course decides what is an exercise, in files and live, and the posture names the rest")
  func course() throws {
    var rules = ActionRecognizer.Rules()
    rules.confidenceThreshold = 0.5
    typealias Course = (file: [ActionPrediction], live: [ActionPrediction])
    func decoded(_ postures: PostureViews.Rules?) -> Course {
      rules.postures = postures
      let decoder = ActionDecoder(
        labels: labels, recognition: rules, windowDuration: 2, stride: 1.0 / 3)
      let windows = (0..<30).map { index in
        let start = Double(index) / 3
        let likeliest = index < 15 ? "other" : "squats"
        let probabilities = labels.map { ($0, $0 == likeliest ? 0.88 : 0.02) }
        var window = ActionPrediction(
          timeRange: start..<(start + 2), status: .action, topLabel: likeliest, confidence: 0.88,
          probabilities: Dictionary(uniqueKeysWithValues: probabilities))
        window.posture = posture([.walking: 0.9], plainness: 1)
        return window
      }
      var memory = ActionDecoder.Memory()
      let live = windows.map { window in
        var window = window
        decoder.read(
          &window, labels.map { window.probabilities[$0] ?? 0 }, by: rules, after: &memory)
        return window
      }
      return (decoder.decode(windows), live)
    }
    let (network, viewed) = (decoded(nil), decoded(.init(weight: 0.9, plainnessPower: 1)))
    #expect(network.file.first?.topLabel == "other" && viewed.file.first?.topLabel == "walking")
    #expect(network.live[10].topLabel == "other" && viewed.live[10].topLabel == "walking")
    #expect(viewed.file.last?.topLabel == "squats" && viewed.live.last?.topLabel == "squats")
    for (one, other) in zip(network.file + network.live, viewed.file + viewed.live) {
      #expect(one.confidence == other.confidence)
      #expect(one.probabilities["squats"] == other.probabilities["squats"])
      #expect(one.distribution["squats"] == other.distribution["squats"])
    }
  }

  @Test("a model's file may ask for it, within bounds")
  func file() throws {
    func rules(_ postures: PostureViews.Rules) throws -> PostureViews.Rules? {
      var metadata = ModelMetadata()
      var rules = ActionRecognizer.Rules()
      rules.postures = postures
      try metadata.ask(for: rules)
      let classifier = try MotionModel.classifier(windowSize: 30, metadata: metadata)
      return ActionRecognizer.Rules(of: classifier).postures
    }
    let usable = PostureViews.Rules(weight: 0.5, plainnessPower: 0.3)
    #expect(try rules(usable) == usable)
    #expect(try rules(.init(weight: 1.5, plainnessPower: 0.3)) == nil)
    #expect(try rules(.init(weight: 0.5, plainnessPower: -1)) == nil)
  }
}
