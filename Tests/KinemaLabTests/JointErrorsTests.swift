import Foundation
import KinemaLab
import KinemaPose
import KinemaRandom
import Testing

/// What the errors of a joint are made of, by hand.
@Suite struct JointErrorsTests {
  private static let count = 90
  /// A joint on a curve, in statures.
  private static let truth = (0..<count).map { frame in
    let time = Float(frame) / 30
    return SIMD2(0.1 * time * time, 0.5 + 0.3 * sin(2 * time))
  }

  /// What is measured of a wrist that is seen beside its place, in percent of the stature.
  private static func row(
    knowsTruth: Bool = true, _ seen: (Int, SIMD2<Float>) -> SIMD3<Float>?
  ) throws -> JointErrors.Row {
    var errors = JointErrors()
    errors.add(
      .leftWrist, found: truth.enumerated().map { seen($0.offset, $0.element) },
      truth: knowsTruth ? truth : nil)
    return try #require(errors.rows.first)
  }

  @Test("a joint beside its place has a constant error and no other, however it moves")
  func constant() throws {
    let row = try Self.row { SIMD3($1.x + 0.03, $1.y - 0.04, 1) }
    #expect(row.joints == "wrists" && row.lost == 0)
    let constant = try #require(row.constant)
    #expect(abs(constant - 5) < 0.01)
    #expect(try #require(row.changing) < 0.01 && row.trembling ?? 1 < 0.01)
  }

  @Test("noise from frame to frame trembles, whether or not the truth is known")
  func trembling() throws {
    for knowsTruth in [true, false] {
      var generator = SeededGenerator(seed: 3)
      let row = try Self.row(knowsTruth: knowsTruth) { _, place in
        SIMD3(place.x + 0.01 * generator.normal(), place.y + 0.01 * generator.normal(), 1)
      }
      #expect((0.8...1.2).contains(try #require(row.trembling)))
      #expect((row.constant == nil) == !knowsTruth && (row.changing == nil) == !knowsTruth)
      // Of a mean of seven frames a seventh of the variance is left.
      if knowsTruth { #expect((0.2...0.6).contains(try #require(row.changing))) }
    }
  }

  @Test("an error that goes to and fro in a second changes, and trembles little")
  func changing() throws {
    let row = try Self.row { frame, place in
      SIMD3(place.x + 0.02 * sin(Float(frame) * 2 * .pi / 30), place.y, 1)
    }
    // The deviation of a sine is 0.71 of its height; in one of two directions 0.5.
    #expect((0.85...1.02).contains(try #require(row.changing)))
    #expect(try #require(row.trembling) < 0.05)
  }

  @Test("a joint without confidence, or without a pose, is lost")
  func lost() throws {
    let row = try Self.row { frame, place in
      frame < 9 ? nil : SIMD3(place.x, place.y, frame < 18 ? 0.05 : 1)
    }
    #expect(abs(row.lost - 0.2) < 1e-6)
  }

  @Test("rendered people are measured beside those whose errors are simulated")
  func bench() async throws {
    var bench = PoseErrorBench()
    (bench.sequenceCount, bench.seed) = (2, 5)
    let report = try await bench.run([])
    #expect(
      report.parts.map(\.poses) == [
        "rendered", "simulated for actions", "simulated for bodies in space",
      ])
    for part in report.parts {
      #expect(part.rows.map(\.joints).contains("shoulders") && part.sequences == 2)
      #expect(part.rows.allSatisfy { ($0.changing ?? 0) < 20 && ($0.trembling ?? 0) < 5 })
    }
    #expect(report.table.contains("trembling"))
  }
}
