package import Foundation
package import KinemaCounting
package import KinemaPose

/// The actions and counts of the people, or hands, of a scene, frame by frame: who is prominent,
/// and how long a person out of view is remembered.
package struct SceneAnalysis: Sendable {
  /// The people to analyse.
  package enum Scope: Hashable, Sendable {
    /// The prominent person at each moment, as one timeline.
    case prominent
    /// The person with an id, or the prominent one while that person has been out of view for
    /// longer than ``ProminentPersonSelector/patience``.
    case person(Int)
    /// Each person for themselves.
    case everybody
    /// Each person, for a live session: a person who returns alone continues as the last one who
    /// left, the prominent person remains until another one takes over, and one can be pinned.
    case live
  }

  /// What a frame gave.
  package struct Step: Sendable {
    /// The poses; a hand that the tracker lost and found again keeps its id.
    package var poses: [Pose]
    /// The pose of the prominent person, if any.
    package var prominent: Pose?
    /// A prediction for each window that the frame completes, by id; for ``Scope/everybody``
    /// without windows in which the person is hardly visible.
    package var predictions: [ActionPrediction]
    /// The old ids of people who continue under new ones.
    package var successions: [Int: Int] = [:]
    /// The sets that have another name now, by person; only of those for each of whom there is an analysis.
    package var revisions: [Int: [SetRevision]] = [:]
    /// What the frame took, without finding the poses.
    package var cost = PersonAnalysis.Cost()

    package init(poses: [Pose] = [], predictions: [ActionPrediction] = []) {
      self.poses = poses
      self.predictions = predictions
    }
  }

  package struct Ending: Sendable {
    package struct Repetitions: Sendable {
      /// The person; `nil` where ids do not matter (``Scope/prominent``).
      package var personID: Int?
      package var summary: RepetitionSummary

      package init(personID: Int? = nil, summary: RepetitionSummary) {
        (self.personID, self.summary) = (personID, summary)
      }
    }

    /// The predictions for what fills no window.
    package var predictions: [ActionPrediction] = []
    /// The repetitions of each person, by id; empty where nothing is counted.
    package var repetitions: [Repetitions] = []
  }

  /// How long a person who is out of view is remembered, in seconds.
  package static let memory: TimeInterval = 15
  /// How long a hand that is out of view is remembered, in seconds.
  package static let handMemory: TimeInterval = 1

  package let scope: Scope
  /// How long a person who is out of view is remembered, in seconds.
  package let memory: TimeInterval
  package private(set) var plan: PersonAnalysis.Plan
  /// The id of the last prominent person.
  package private(set) var prominentID: Int?
  private var selector: ProminentPersonSelector
  /// The first ids of people who were visible, where ``Scope/person(_:)`` chooses one of them.
  package private(set) var seenIDs: Set<Int> = []
  private static let mostSeenIDs = 64
  /// The analysis of each person; under 0 that of the prominent one, if only one is covered.
  private var analyses: [Int: PersonAnalysis] = [:]
  /// The repetitions of people who have left.
  private var left: [Int: RepetitionSummary] = [:]
  /// The ids of hands by the ids that their tracks have now.
  private var handIDs: [Int: Int] = [:]
  /// Width of the frame divided by its height, if known.
  private var aspectRatio: Float?

  private static let prominentKey = 0

  package init(
    _ plan: PersonAnalysis.Plan, scope: Scope, memory: TimeInterval = SceneAnalysis.memory
  ) {
    self.plan = plan
    self.scope = scope
    self.memory = memory
    selector =
      switch scope {
      case .prominent, .everybody: ProminentPersonSelector()
      case .person(let id): ProminentPersonSelector(pinnedPersonID: id, patience: .infinity)
      case .live: ProminentPersonSelector(patience: memory)
      }
  }

  /// The id that ``Scope/person(_:)`` names, while nobody with it has been visible.
  package var missingPersonID: Int? {
    guard case .person(let id) = scope, selector.personID == nil else { return nil }
    return id
  }

  // MARK: - Frames

  /// Processes the poses of the next frame.
  ///
  /// - Parameters:
  ///   - poses: The poses of all people; those without an id are numbered by their order.
  ///   - time: The presentation time in seconds, increasing.
  ///   - aspectRatio: Width of the frame divided by its height; a change restarts counting. `nil`
  ///     for no change.
  /// - Throws: ``ActionError`` if a model cannot be run.
  package mutating func add(
    _ poses: [Pose], at time: TimeInterval, aspectRatio: Float? = nil
  ) throws -> Step {
    if let aspectRatio, aspectRatio != self.aspectRatio {
      self.aspectRatio = aspectRatio
      try change(to: plan)
    }
    var step = Step(poses: poses)
    if case .person = scope, seenIDs.count < Self.mostSeenIDs {
      seenIDs.formUnion(poses.compactMap(\.personID))
    }
    switch scope {
    case .prominent, .person:
      step.prominent = selector.select(from: poses, at: time)
      step.predictions = try add(step.prominent, to: Self.prominentKey, at: time, &step.cost)
    case .everybody, .live:
      keepHandIDs(of: &step.poses, at: time)
      try addEach(at: time, to: &step)
      if let pinned = selector.pinnedPersonID, scope == .live,
        time - (analyses[pinned]?.lastSeen ?? -.infinity) > memory
      {
        selector.pinnedPersonID = nil
      }
      step.prominent = selector.select(from: step.poses, at: time)
    }
    prominentID = step.prominent?.personID ?? prominentID
    return step
  }

  private mutating func addEach(at time: TimeInterval, to step: inout Step) throws {
    var present: [Int: Pose] = [:]
    for (index, pose) in step.poses.enumerated() { present[pose.personID ?? index + 1] = pose }
    if scope == .live { step.successions = succeed(present, at: time) }
    for id in Set(analyses.keys).union(present.keys).sorted() {
      let pose = present[id]
      if pose == nil, time - (analyses[id]?.lastSeen ?? time) > memory {
        step.predictions += try leave(id)
      } else {
        step.predictions += Self.visible(try add(pose, to: id, at: time, &step.cost), of: id)
        let revisions = analyses[id]?.counter?.revisions ?? []
        if !revisions.isEmpty { step.revisions[id] = revisions }
      }
    }
  }

  private mutating func add(
    _ pose: Pose?, to id: Int, at time: TimeInterval, _ cost: inout PersonAnalysis.Cost
  ) throws -> [ActionPrediction] {
    // Taken out while it is changed, so that it is not copied.
    var analysis = try analyses.removeValue(forKey: id) ?? PersonAnalysis(plan)
    defer {
      cost += analysis.cost
      analyses[id] = analysis
    }
    return try analysis.add(pose, at: time, aspectRatio: aspectRatio)
  }

  /// Drops a person who has been out of view for too long.
  private mutating func leave(_ id: Int) throws -> [ActionPrediction] {
    guard scope == .live else { return try end(id) }
    guard id != prominentID else { return [] }
    analyses[id] = nil
    if selector.pinnedPersonID == id { selector.pinnedPersonID = nil }
    return []
  }

  /// Ends the analysis of a person and keeps their repetitions.
  private mutating func end(_ id: Int) throws -> [ActionPrediction] {
    guard var analysis = analyses.removeValue(forKey: id) else { return [] }
    let (predictions, repetitions) = try analysis.finish()
    if let repetitions {
      let before = left[id]
      left[id] = RepetitionSummary(
        repetitions: (before?.repetitions ?? []) + repetitions.repetitions,
        moments: (before?.moments ?? []) + repetitions.moments)
    }
    return Self.visible(predictions, of: id)
  }

  /// Lets a person who comes alone continue as one who is remembered, preferably the prominent one.
  ///
  /// - Returns: The old id by the new one.
  private mutating func succeed(_ present: [Int: Pose], at time: TimeInterval) -> [Int: Int] {
    guard present.count == 1, let (newcomer, pose) = present.first, analyses[newcomer] == nil,
      let old = remembered(pose.chirality, without: [newcomer], at: time)
    else { return [:] }
    analyses[newcomer] = analyses.removeValue(forKey: old)
    if selector.pinnedPersonID == old { selector.pinnedPersonID = newcomer }
    if prominentID == old { prominentID = newcomer }
    return [newcomer: old]
  }

  /// Gives a hand with a new track, which is the only one of its side, the id of the hand of that
  /// side that is remembered.
  private mutating func keepHandIDs(of poses: inout [Pose], at time: TimeInterval) {
    for index in poses.indices where poses[index].chirality != nil {
      poses[index].personID = poses[index].personID.map { handIDs[$0] ?? $0 }
    }
    let present = Set(poses.compactMap(\.personID))
    for index in poses.indices {
      let side = poses[index].chirality
      guard let side, let id = poses[index].personID, analyses[id] == nil,
        poses.count(where: { $0.chirality == side }) == 1,
        let old = remembered(side, without: present, at: time)
      else { continue }
      handIDs[id] = old
      poses[index].personID = old
    }
  }

  /// The last person, or hand of a side, who left; preferably the prominent one.
  private func remembered(
    _ chirality: Chirality?, without present: Set<Int>, at time: TimeInterval
  ) -> Int? {
    let remembered = analyses.filter { id, analysis in
      !present.contains(id) && analysis.chirality == chirality
        && time - (analysis.lastSeen ?? time) <= memory
    }
    if let prominentID, remembered[prominentID] != nil { return prominentID }
    return remembered.max {
      ($0.value.lastSeen ?? 0, $1.key) < ($1.value.lastSeen ?? 0, $0.key)
    }?.key
  }

  /// The predictions of windows in which the person is visible.
  private static func visible(
    _ predictions: [ActionPrediction], of id: Int
  ) -> [ActionPrediction] {
    predictions.filter { $0.status != .noPerson }.map { prediction in
      var prediction = prediction
      prediction.personID = id
      return prediction
    }
  }

  // MARK: - Results

  /// The ids of the people being analysed.
  package var personIDs: [Int] { analyses.keys.sorted() }

  /// The analysis of a person; of the prominent one where only that is covered.
  package subscript(id: Int?) -> PersonAnalysis? {
    switch scope {
    case .prominent, .person: analyses[Self.prominentKey]
    case .everybody, .live: id.flatMap { analyses[$0] }
    }
  }

  /// Ends the scene: gives the predictions for what fills no window, and all repetitions.
  package mutating func finish() throws -> Ending {
    var ending = Ending()
    switch scope {
    case .prominent, .person:
      var analysis =
        try analyses.removeValue(forKey: Self.prominentKey) ?? PersonAnalysis(plan)
      let (predictions, repetitions) = try analysis.finish()
      ending.predictions = predictions
      ending.repetitions = repetitions.map { [Ending.Repetitions(summary: $0)] } ?? []
    case .everybody, .live:
      for id in personIDs { ending.predictions += try end(id) }
      ending.repetitions = left.sorted { $0.key < $1.key }.map {
        Ending.Repetitions(personID: $0.key, summary: $0.value)
      }
      left = [:]
    }
    return ending
  }

  // MARK: - Changes

  /// Continues with another plan; unaffected parts keep their state.
  package mutating func change(to plan: PersonAnalysis.Plan) throws {
    var plan = plan
    if let aspectRatio { plan.counting?.aspectRatio = aspectRatio }
    for id in analyses.keys { try analyses[id]?.change(to: plan) }
    self.plan = plan
  }

  package var pinnedPersonID: Int? {
    get { selector.pinnedPersonID }
    set { selector.pinnedPersonID = newValue }
  }

  /// Drops all people, for another source.
  package mutating func reset() {
    let aspectRatio = aspectRatio
    self = SceneAnalysis(plan, scope: scope, memory: memory)
    self.aspectRatio = aspectRatio
  }
}
