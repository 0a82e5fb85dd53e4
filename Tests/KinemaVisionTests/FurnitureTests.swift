import KinemaPose
import KinemaStreams
import KinemaTracking
import KinemaVideo
import KinemaVision
import Testing

/// The detector of ``HandMadeNetwork``, with the brightness as score.
private struct BrightnessDetector: BodyDetector {
  private var network = HandMadeNetwork()

  static func id(in runtime: VisionRuntime) -> String { "brightness" }

  init(runtime: VisionRuntime, precision: NetworkPrecision) {}

  mutating func people(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks], times: inout StageTimes
  ) -> [BodyDetection] {
    network.people(in: region, of: frame, hiding: hidden, times: &times).map {
      var detection = $0
      detection.score = Float(frame.channels(at: detection.region.center).max() ?? 0) / 255
      return detection
    }
  }
}

@Suite("Furniture that looks like a body")
struct FurnitureTests {
  private static let runtime = VisionRuntime.handMade(detector: BrightnessDetector.self)
  private static let rules = TrackingRules.bodies.verification

  /// The ids of each frame, thirty a second.
  private func ids(
    _ count: Int, maximum: Int = 4, _ frame: (Int) -> Frame
  ) async throws -> [[Int?]] {
    let extractor = HumanBodyPoseExtractor(
      configuration: .init(maximumPersonCount: maximum), runtime: Self.runtime)
    var ids: [[Int?]] = []
    for index in 0..<count {
      ids.append(try await extractor.applied(to: frame(index)).map(\.personID))
    }
    return ids
  }

  @Test("a body that never moves is nobody, unless the detector is sure of it")
  func still() async throws {
    let chair = try await ids(240) { _ in
      Frame([(SIMD2(80, 60), Self.rules.score - 0.05)])
    }
    #expect(chair.allSatisfy { $0.isEmpty })
    let person = try await ids(30) { _ in
      Frame([(SIMD2(80, 60), Self.rules.score + 0.02)])
    }
    #expect(person[3...].allSatisfy { $0 == [1] })
  }

  @Test("a body that moves is a person, within half a second")
  func moving() async throws {
    let ids = try await ids(60) { index in
      Frame([(SIMD2(50 + index, 60), Self.rules.score - 0.05)])
    }
    #expect(ids[18...].allSatisfy { $0 == [1] })
  }

  @Test("a body that moves is a person, where frames are two seconds apart")
  func rareFrames() async throws {
    let extractor = HumanBodyPoseExtractor(runtime: Self.runtime)
    var ids: [[Int?]] = []
    for index in 0..<8 {
      let frame = Frame([(SIMD2(60 + 3 * index, 60), Self.rules.score - 0.05)])
      let id = TemporalSegmentIdentifier(
        source: "slow", range: 2 * index..<2 * index + 2, timescale: 1)
      let poses = try await extractor.applied(to: TemporalFeature(id: id, feature: frame))
      ids.append(poses.feature.map(\.personID))
    }
    #expect(ids.last == [1])
  }

  @Test("who appears while a sleeping view is searched least, and keeps still, is a person")
  func slept() async throws {
    let extractor = HumanBodyPoseExtractor(runtime: Self.runtime)
    let slept = Int(CostLadder.Rules().emptyTime)
    var ids: [[Int?]] = []
    for index in 0..<30 {
      let people = index == 0 ? [] : [(SIMD2(80, 60), Self.rules.score - 0.05)]
      let time = index == 0 ? 0 : 30 * slept + index
      let id = TemporalSegmentIdentifier(
        source: "asleep", range: time..<time + 1, timescale: 30)
      let poses = try await extractor.applied(
        to: TemporalFeature(id: id, feature: Frame(people)))
      ids.append(poses.feature.map(\.personID))
    }
    #expect(ids.last == [1])
  }

  @Test("a person who was taken for furniture is found as soon as they move")
  func woken() async throws {
    let ids = try await ids(150) { index in
      Frame([(SIMD2(50 + max(0, index - 90), 60), Self.rules.score - 0.05)])
    }
    #expect(ids[..<90].allSatisfy { $0.isEmpty })
    #expect(ids[120...].allSatisfy { $0 == [1] })
  }

  @Test("light that changes, or a person who passes, makes no person of furniture")
  func light() async throws {
    let ids = try await ids(240) { index in
      let walker = (SIMD2(min(index, 150), 60), Float(1))
      // Of a chair whose middle is hidden, the detector would take the walker's score.
      let chair = (SIMD2(110, 95), Self.rules.score - 0.05)
      return Frame([walker, chair], light: UInt8(index / 8))
    }
    #expect(Set(ids.joined()).subtracting([nil]) == [1])
  }

  @Test("furniture takes nobody's place")
  func places() async throws {
    let ids = try await ids(90, maximum: 1) { index in
      let chair = (SIMD2(30, 60), Self.rules.score - 0.05)
      return Frame(index < 20 ? [chair] : [chair, (SIMD2(110, 60), 1)])
    }
    #expect(ids[60...].allSatisfy { $0 == [1] })
  }

  @Test("a person who lies still where one was lost has the same id")
  func lost() async throws {
    let ids = try await ids(180) { index in
      switch index {
      case ..<30: Frame([(SIMD2(80, 60), 1)])
      case ..<90: Frame([])
      default: Frame([(SIMD2(80, 62), Self.rules.score - 0.05)])
      }
    }
    #expect(ids[..<30].allSatisfy { $0 == [1] })
    #expect(ids[150...].allSatisfy { $0 == [1] })
  }
}

extension Frame {
  /// Bodies at places in pixels, the first in green, of which brightness is taken, each of the others in a
  /// channel of its own, as bright as their scores, in a dim light.
  fileprivate init(_ bodies: [(place: SIMD2<Int>, score: Float)], light: UInt8 = 0) {
    self.init(width: 160, height: 120)
    let bytesPerRow = bytesPerRow
    withUnsafeMutableBytes { bytes in
      for index in bytes.indices { bytes[index] = light }
      for (channel, body) in bodies.enumerated() {
        for y in max(0, body.place.y - 30)..<min(120, body.place.y + 30) {
          for x in max(0, body.place.x - 8)..<min(160, body.place.x + 8) {
            bytes[y * bytesPerRow + 4 * x + (channel + 1) % 3] = UInt8((body.score * 255).rounded())
          }
        }
      }
    }
  }
}
