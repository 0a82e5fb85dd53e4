import KinemaSynth
import Testing

@Suite("Classes of synthetic motions")
struct SyntheticMotionClassTests {
  @Test("the shares of the standard classes add up to one")
  func standard() {
    let classes = SyntheticMotionClass.standard
    #expect(classes.map(\.label) == ActionClass.allCases.map(\.rawValue))
    #expect(abs(classes.reduce(0) { $0 + $1.share } - 1) < 1e-9)
    #expect(classes.flatMap(\.motions).count == Motion.library.count)
  }

  @Test("every motion of the library is of one label of Exercise")
  func exercise() {
    let motions = SyntheticMotionClass.exercise.flatMap(\.motions)
    #expect(motions.count == Motion.library.count && Set(motions).count == motions.count)
    let lunges = SyntheticMotionClass.exercise.first { $0.label == "lunges" }
    #expect(lunges?.motions.contains { $0.name == "jump_lunges" } == true)
  }

  @Test("the labels of Workout are of different motions")
  func workout() {
    let classes = SyntheticMotionClass.workout
    #expect(Set(classes.map(\.label)).count == classes.count)
    let motions = classes.flatMap(\.motions)
    #expect(Set(motions).count == motions.count)
    for kind in classes where kind.label != "other" {
      #expect(kind.motions.contains { $0.showsPerson }, "\(kind.label)")
    }
  }

  @Test("split by motion, a class keeps its share", arguments: [3.0, 0.25])
  func byMotion(share: Double) {
    let motions = Array(Motion.library.prefix(5))
    let kind = SyntheticMotionClass(
      "some", share: share, motions: motions, weights: [1, 0, 2, 4, 1])
    let parts = kind.byMotion
    #expect(parts.map(\.label) == [0, 2, 3, 4].map { motions[$0].name })
    #expect(abs(parts.reduce(0) { $0 + $1.share } - share) < 1e-9)
    #expect(abs(parts[2].share / parts[0].share - 4) < 1e-6)
    for part in parts { #expect(part.motions.map(\.name) == [part.label]) }
  }

  @Test("what is held out is learnt from no class of single motions")
  func heldOut() {
    let labels = Set(SyntheticMotionClass.eachMotion.map(\.label))
    #expect(labels.isDisjoint(with: Motion.heldOut.map(\.name)))
    #expect(labels.count + Motion.heldOut.count == Motion.library.count)
    let exercises = SyntheticMotionClass.eachMotion.filter {
      Motion.named($0.label)?.action != .other
    }
    #expect(abs(exercises.reduce(0) { $0 + $1.share } - 5 * 0.09) < 1e-6)
  }

  @Test("labels that are neither a class nor a motion, and none at all, are refused")
  func named() throws {
    #expect(SyntheticMotionClass.named([]) == nil)
    #expect(SyntheticMotionClass.named(["squats", "sqats"]) == nil)
    let classes = try #require(SyntheticMotionClass.named(["squats", "walking", "other_action"]))
    #expect(classes.map(\.label) == ["squats", "walking", "other_action"])
    // Nothing is of two labels.
    let motions = classes.flatMap(\.motions)
    #expect(Set(motions).count == motions.count)
    #expect(classes[2].share > classes[0].share)
  }

  @Test("lists of motions are parts of the library")
  func lists() {
    let library = Set(Motion.library)
    for list in [Motion.counted, Motion.heldOut, Motion.idle] {
      #expect(!list.isEmpty && Set(list).isSubset(of: library))
      #expect(Set(list).count == list.count)
      #expect(list.allSatisfy { $0.showsPerson })
    }
    #expect(Motion.counted.allSatisfy(\.isCounted) && Motion.heldOut.allSatisfy(\.isCounted))
    #expect(Motion.idle.count == 6)
  }
}
