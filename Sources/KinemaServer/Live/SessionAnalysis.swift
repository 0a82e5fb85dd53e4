package import Foundation
package import KinemaAction
package import KinemaCoach
import KinemaCounting
package import KinemaPose

/// The results of a session, frame by frame: the ``SceneAnalysis`` of its people, summary,
/// challenge and hints.
package struct SessionAnalysis: Sendable {
  package struct Picture: Sendable {
    var sequence: UInt32
    /// The time as the sender gave it.
    var sentTime: Double
    var width: Int
    var height: Int
    var time: TimeInterval

    package init(
      sequence: UInt32, sentTime: Double, width: Int, height: Int, time: TimeInterval
    ) {
      self.sequence = sequence
      self.sentTime = sentTime
      self.width = width
      self.height = height
      self.time = time
    }
  }

  package private(set) var tally = SessionTally()
  /// The challenge; `nil` without one.
  package var challenge: Challenge? {
    get { currentChallenge }
    set {
      tally.sets.begin(newValue, at: now)
      currentChallenge = newValue
    }
  }
  private var currentChallenge: Challenge?
  /// The form of the last repetition; `nil` before the first.
  package private(set) var form: FormMessage?
  private var coach: LiveCoach
  private var lifting = LiveLifting()
  /// Whether frames have the prominent person in three dimensions.
  package var isLifting = false
  private var scene = SceneAnalysis(PersonAnalysis.Plan(), scope: .live)
  private var clock = SessionClock()
  private var advisor = ViewAdvisor()
  /// The repetitions of each person's sets that are in the tally, or that came while another one was
  /// prominent.
  private var booked: [Int: [Int: Int]] = [:]
  /// The sets that have another name since the last call.
  private var revisions: [SetRevisedMessage] = []
  private var startTime: TimeInterval?

  /// - Parameter coach: What evaluates repetitions; `nil` for nothing.
  package init(coach: Coach? = LiveCoach.builtIn) { self.coach = LiveCoach(coach) }

  package mutating func time(
    ofPictureSentAt sent: TimeInterval, arrivedAt arrived: TimeInterval
  ) -> TimeInterval {
    clock.advance(to: sent, arrivedAt: arrived)
  }

  /// The session time of the newest frame.
  var now: TimeInterval { clock.time }

  // MARK: - Changes

  /// Continues with other settings or another model.
  package mutating func change(to plan: PersonAnalysis.Plan) throws { try scene.change(to: plan) }

  /// Pins a person, or none; throws ``ServerError`` if there is no such person.
  package mutating func pin(_ person: Int?) throws {
    if let person, scene[person] == nil {
      throw ServerError(.notFound, MessageText("notInView", ["person": person]))
    }
    scene.pinnedPersonID = person
  }

  /// Drops all people, for another source.
  package mutating func changeSource() {
    clock.changeSource(gap: 1)
    forgetPeople()
    advisor = ViewAdvisor()
  }

  /// Continues after a broken connection, which does not count as time, so that all people remain.
  package mutating func resume() { clock.changeSource(gap: 1) }

  package mutating func startNewRecord() {
    tally = SessionTally()
    (currentChallenge, form) = (nil, nil)
    forgetPeople()
    startTime = nil
  }

  /// Drops all people, because bodies and hands are exchanged.
  mutating func forgetPeople() {
    booked = [:]
    coach.reset()
    scene.reset()
  }

  /// Skips the challenge's active action, or the rest before it.
  mutating func skipChallenge() {
    let time = now
    currentChallenge?.skip(at: time)
    if let currentChallenge { tally.sets.follow(currentChallenge, at: time) }
  }

  // MARK: - Frames

  package mutating func add(
    _ poses: [Pose], in picture: Picture, durations: inout StageDurations
  ) throws -> FrameMessage {
    let time = picture.time
    startTime = startTime ?? time
    let aspectRatio = Float(picture.width) / Float(max(picture.height, 1))
    let step = try scene.add(poses, at: time, aspectRatio: aspectRatio)
    durations.add(.classification, seconds: step.cost.classification)
    durations.add(.counting, seconds: step.cost.counting)
    for (new, old) in step.successions { booked[new] = booked.removeValue(forKey: old) }
    coach.succeed(step.successions)
    tally.sets.succeed(step.successions)
    revise(step.revisions)
    let prominent = step.prominent
    let analysis = scene[scene.prominentID]
    let action = action(of: analysis, isVisible: prominent != nil, at: time)
    book(action, of: analysis, person: prominent?.personID, at: time)
    currentChallenge?.update(action: action?.label, counts: tally.counts, at: time)
    if let currentChallenge { tally.sets.follow(currentChallenge, at: time) }
    measureForm(of: prominent, aspectRatio: aspectRatio, at: time)
    let isPinned = scene.pinnedPersonID != nil
    let hint = advisor.hint(
      for: prominent?.wireframe == .hand ? nil : prominent, personCount: step.poses.count,
      isPinned: isPinned,
      ignoredKeys: scene.plan.ignoredJoints, at: time)
    return FrameMessage(
      sequence: picture.sequence, time: picture.sentTime, width: picture.width,
      height: picture.height,
      persons: step.poses.compactMap { pose in
        guard let id = pose.personID, let analysis = scene[id] else { return nil }
        return FrameMessage.Person(pose, id: id, analysis: analysis)
      },
      prominent: prominent?.personID, isPinned: isPinned, hint: hint?.code, hintText: hint?.text,
      hintParts: hint?.parts ?? [], action: action, activity: analysis?.activity,
      set: prominent == nil ? nil : analysis?.set.map(FrameMessage.CurrentSet.init),
      body: isLifting ? lifting.add(prominent, at: time, aspectRatio: aspectRatio) : nil,
      count: analysis?.count ?? 0, countedLabel: analysis?.countedAction,
      counts: analysis?.counter?.counts ?? [:],
      tempo: prominent == nil ? nil : analysis?.counter?.tempo?.rounded(places: 1))
  }

  private mutating func measureForm(
    of pose: Pose?, aspectRatio: Float, at time: TimeInterval
  ) {
    var pose = pose
    for joint in scene.plan.ignoredJoints { pose?.keypoints[joint] = nil }
    let repetitions = coach.add(
      pose, of: scene.prominentID, counter: scene[scene.prominentID]?.counter, at: time,
      aspectRatio: aspectRatio)
    for repetition in repetitions {
      tally.sets.add(repetition)
      form = FormMessage(repetition, number: (form?.number ?? 0) + 1, at: time)
    }
  }

  private func action(
    of analysis: PersonAnalysis?, isVisible: Bool, at time: TimeInterval
  ) -> ActionMessage? {
    guard let classifier = scene.plan.classifier else { return nil }
    if let analysis, isVisible || time - (analysis.lastSeen ?? time) <= scene.memory {
      return analysis.action
    }
    let window =
      Double(classifier.windowSize) / (classifier.frameRate ?? ActionRecognizer.defaultFrameRate)
    return time - (startTime ?? time) < window ? .startingUp : .noPerson
  }

  // MARK: - Summing up

  /// Takes over other names of sets, of the prominent person into the totals.
  private mutating func revise(_ revisions: [Int: [SetRevision]]) {
    for (person, revisions) in revisions.sorted(by: { $0.key < $1.key }) {
      for revision in revisions {
        self.revisions.append(SetRevisedMessage(revision, of: person))
        if let joined = revision.joined,
          let count = booked[person]?.removeValue(forKey: revision.set)
        {
          booked[person]?[joined, default: 0] += count
        }
        guard person == scene.prominentID else { continue }
        tally.sets.revise(revision, of: person)
        tally.revise(revision)
      }
    }
  }

  /// Gives what other names sets have since the last call.
  mutating func takeRevisions() -> [SetRevisedMessage] {
    defer { revisions = [] }
    return revisions
  }

  private mutating func book(
    _ action: ActionMessage?, of analysis: PersonAnalysis?, person: Int?, at time: TimeInterval
  ) {
    let isClassifying = scene.plan.classifier != nil
    var moment: SessionTally.Moment?
    if !isClassifying {
      moment = analysis?.counter?.tempo != nil ? SessionTally.unlabelled : nil
    } else if let action, action.status != .startingUp {
      moment = analysis.flatMap { Self.moment(of: $0) } ?? SessionTally.Moment(action)
    }
    moment?.person = person
    var gains: [SessionTally.Moment: Int] = [:]
    booked = booked.filter { scene[$0.key] != nil }
    for id in scene.personIDs {
      let sets = scene[id]?.counter?.sets ?? []
      if id == scene.prominentID {
        for set in sets {
          let gain = set.repetitions - (booked[id]?[set.id] ?? 0)
          let isHeld = set.kind == .timed && set.id == scene[id]?.set?.id
          guard gain > 0 || isHeld else { continue }
          if isClassifying { tally.sets.add(max(0, gain), of: set, of: id, at: time) }
          guard gain > 0 else { continue }
          gains[set.action.map(SessionTally.Moment.init) ?? SessionTally.unlabelled, default: 0] +=
            gain
        }
      }
      booked[id] = Dictionary(sets.map { ($0.id, $0.repetitions) }) { first, _ in first }
    }
    tally.add(moment, gains: gains, at: time)
  }

  /// What a person's time is entered under: a set's name, *ready* between sets, or walking, running and lying
  /// by their posture; `nil` where it is what the newest window says.
  private static func moment(of analysis: PersonAnalysis) -> SessionTally.Moment? {
    switch analysis.activity {
    case nil: nil
    case .set: analysis.set?.action.map(SessionTally.Moment.init)
    case .ready: SessionTally.ready
    case .everyday: analysis.everydayLabel.map(SessionTally.Moment.init) ?? SessionTally.ready
    }
  }
}
