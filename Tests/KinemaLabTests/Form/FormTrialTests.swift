import Foundation
import KinemaLab
import KinemaPose
import KinemaSynth
import Testing

@Suite("Trials of form")
struct FormTrialTests {
  private static func trial(
    _ name: String, _ fault: FormFault? = nil, seed: UInt64 = 3
  ) throws -> FormTrial {
    FormTrial(of: try #require(Motion.named(name)), fault: fault, seed: seed)
  }

  /// The bodies during each repetition.
  private static func bodies(_ trial: FormTrial) -> [[[SIMD3<Float>]]] {
    trial.repetitions.map { repetition in
      trial.bodies.filter { $0.time >= repetition.start && $0.time <= repetition.end }
        .map(\.places)
    }
  }

  private static func hips(_ places: [SIMD3<Float>]) -> SIMD3<Float> {
    (places[BodyJoint.leftHip] + places[BodyJoint.rightHip]) * 0.5
  }

  /// The lowest height of the hips in each repetition, in metres.
  private static func depths(_ trial: FormTrial) -> [Float] {
    bodies(trial).map { bodies in bodies.map { hips($0).y }.min() ?? 0 }
  }

  /// The largest angle of the trunk to the vertical in each repetition, in radians.
  private static func leans(_ trial: FormTrial) -> [Float] {
    bodies(trial).map { bodies in
      bodies.map { places -> Float in
        let trunk: SIMD3<Float> = places[BodyJoint.neck] - hips(places)
        return acos(trunk.y / trunk.length)
      }.max() ?? 0
    }
  }

  @Test("a trial depends on motion, fault and seed alone; its camera on no fault")
  func determinism() throws {
    let fault = FormFault(.halfDepth, size: 0.5)
    let (one, again) = try (Self.trial("squats", fault), Self.trial("squats", fault))
    #expect(one.bodies.map(\.places) == again.bodies.map(\.places))
    #expect(one.repetitions == again.repetitions && one.yaw == again.yaw)
    #expect(try one.yaw == Self.trial("squats").yaw)
    let (first, second) = (one.observed(), one.observed())
    #expect(first.aspectRatio == second.aspectRatio)
    #expect(first.poses.map(\.pose) == second.poses.map(\.pose))
    #expect(first.poses.map(\.time) == one.bodies.map(\.time))
    #expect(try Self.trial("squats", seed: 4).bodies.first?.places != one.bodies.first?.places)
  }

  @Test(
    "four repetitions follow each other within the sequence",
    arguments: ["squats", "push_ups", "lunges"])
  func repetitions(_ name: String) throws {
    let trial = try Self.trial(name)
    #expect(trial.repetitions.count == 4)
    #expect((trial.repetitions.first?.start ?? 0) >= 0.5)
    #expect((trial.bodies.last?.time ?? 0) > (trial.repetitions.last?.end ?? .infinity))
    for (one, next) in zip(trial.repetitions, trial.repetitions.dropFirst()) {
      #expect(one.end > one.start && abs(next.start - one.end) < 1e-9)
    }
  }

  @Test(
    "what half-deep squats miss is what they are asked to miss",
    arguments: [1, 2, 3, 4, 5] as [UInt64])
  func halfDepth(_ seed: UInt64) throws {
    let good = Self.depths(try Self.trial("squats", seed: seed))
    let standing = try #require(Self.trial("squats", seed: seed).bodies.first?.places)
    let height = Self.hips(standing).y
    let bad = Self.depths(
      try Self.trial("squats", FormFault(.halfDepth, size: 0.5), seed: seed))
    // Each repetition is as deep as without the fault, or misses half of the way.
    for (own, other) in zip(bad, good) {
      let share = (height - own) / (height - other)
      #expect(abs(share - 1) < 0.1 || abs(share - 0.5) < 0.15, "\(share)")
    }
  }

  @Test("leaning trunks lean by about as much more", arguments: [1, 2, 3] as [UInt64])
  func lean(_ seed: UInt64) throws {
    let good = Self.leans(try Self.trial("squats", seed: seed))
    let bad = Self.leans(try Self.trial("squats", FormFault(.lean, size: 0.5), seed: seed))
    for (own, other) in zip(bad, good) {
      #expect(own - other < 0.65 && own - other > -0.1, "\(own - other)")
    }
    #expect(zip(bad, good).contains { $0 - $1 > 0.3 })
  }

  @Test("rushed repetitions take the share of the time that is left, the others as long as before")
  func rushed() throws {
    var rushed = 0
    for seed in 1...5 as ClosedRange<UInt64> {
      let good = try Self.trial("squats", seed: seed).repetitions
      let bad = try Self.trial("squats", FormFault(.rushed, size: 0.75), seed: seed).repetitions
      #expect(bad.count == good.count)
      for (own, other) in zip(bad, good) {
        let share = (own.end - own.start) / (other.end - other.start)
        #expect(abs(share - 1) < 1e-6 || abs(share - 0.25) < 1e-6)
        if share < 0.5 { rushed += 1 }
      }
    }
    // Six of ten, of twenty.
    #expect((6...18).contains(rushed))
  }

  @Test(
    "sagging hips are below those of a plank, piking ones above", arguments: [1, 2, 3] as [UInt64])
  func hips(_ seed: UInt64) throws {
    func height(_ kind: FormFault.Kind?) throws -> [Float] {
      let trial = try Self.trial("push_ups", kind.map { FormFault($0, size: 0.3) }, seed: seed)
      return Self.bodies(trial).map { bodies in
        var sum: Float = 0
        for places in bodies {
          let ends = places[BodyJoint.leftShoulder].y + places[BodyJoint.leftAnkle].y
          sum += places[BodyJoint.leftHip].y - ends / 2
        }
        return sum / Float(bodies.count)
      }
    }
    let (plain, sag, pike) = try (height(nil), height(.sag), height(.pike))
    for index in plain.indices {
      #expect(sag[index] < plain[index] + 0.02 && pike[index] > plain[index] - 0.02)
    }
    #expect(zip(sag, plain).contains { $0 < $1 - 0.05 })
    #expect(zip(pike, plain).contains { $0 > $1 + 0.05 })
  }

  @Test("with a fault bones keep their lengths", arguments: FormFault.Kind.allCases)
  func bones(_ kind: FormFault.Kind) throws {
    let trial = try Self.trial("lunges", FormFault(kind, size: kind.sizes.upperBound))
    let bones: [(BodyJoint, BodyJoint)] = [
      (.leftHip, .leftKnee), (.leftKnee, .leftAnkle), (.rightHip, .rightKnee),
      (.rightKnee, .rightAnkle), (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist),
      (.leftShoulder, .rightShoulder), (.leftHip, .rightHip),
    ]
    for (one, other) in bones {
      let lengths = trial.bodies.map { body -> Float in
        let way: SIMD3<Float> = body.places[one] - body.places[other]
        return way.length
      }
      let (least, most) = (lengths.min() ?? 0, lengths.max() ?? 0)
      #expect(least > 0.05 && most - least < 0.01, "\(kind): \(one) to \(other)")
    }
  }
}
