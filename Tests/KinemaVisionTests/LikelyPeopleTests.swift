import KinemaPose
import KinemaVideo
import KinemaVision
import Testing

/// The detector of ``HandMadeNetwork``, which sees who is painted green only in parts on the edge of the
/// frame and in turned ones, with the brightness as score.
private struct FloorDetector: BodyDetector {
  private var network = HandMadeNetwork()

  static func id(in runtime: VisionRuntime) -> String { "floor" }

  init(runtime: VisionRuntime, precision: NetworkPrecision) {}

  mutating func people(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks], times: inout StageTimes
  ) -> [BodyDetection] {
    let isSeen =
      region.angle != 0 || region.center.x == 0 || region.center.x == Float(frame.width)
    return network.people(in: region, of: frame, hiding: hidden, times: &times).compactMap {
      var detection = $0
      let green = frame.channels(at: detection.region.center)[1]
      if green > 0 { detection.score = Float(green) / 255 }
      return green == 0 || isSeen ? detection : nil
    }
  }
}

@Suite("People who are found only in some parts")
struct LikelyPeopleTests {
  private static let runtime = VisionRuntime.handMade(detector: FloorDetector.self)

  /// The ids of each frame.
  private func ids(_ frames: [Frame]) async throws -> [[Int?]] {
    let extractor = HumanBodyPoseExtractor(runtime: Self.runtime)
    var ids: [[Int?]] = []
    for frame in frames { ids.append(try await extractor.applied(to: frame).map(\.personID)) }
    return ids
  }

  @Test("a person at the edge is found in the first frame")
  func edge() async throws {
    let ids = try await ids(Array(repeating: Frame(green: 255, at: SIMD2(140, 60)), count: 10))
    #expect(ids[3...].allSatisfy { $0 == [1] })
  }

  @Test("a person who enters at the edge is found within two seconds")
  func entry() async throws {
    let empty = Array(repeating: Frame(width: 160, height: 120), count: 30)
    let entered = Array(repeating: Frame(green: 255, at: SIMD2(140, 60)), count: 60)
    let ids = try await ids(empty + entered)
    #expect(ids.last == [1])
  }

  @Test("a body at the edge with the score of furniture is nobody")
  func furniture() async throws {
    let ids = try await ids(Array(repeating: Frame(green: 185, at: SIMD2(140, 60)), count: 120))
    #expect(ids.allSatisfy { $0.isEmpty })
  }

  @Test("who lies down is found where they were, with the same id")
  func lying() async throws {
    let standing = Array(repeating: Frame(people: [SIMD2(80, 60)]), count: 10)
    let unseen = Array(repeating: Frame(width: 160, height: 120), count: 10)
    let lying = Array(repeating: Frame(green: 255, at: SIMD2(80, 70)), count: 90)
    let ids = try await ids(standing + unseen + lying)
    #expect(ids[..<10].allSatisfy { $0 == [1] })
    #expect(ids.last == [1])
  }
}

extension Frame {
  /// A body at a place in pixels.
  fileprivate init(green: UInt8, at place: SIMD2<Int>) {
    self.init(width: 160, height: 120)
    let bytesPerRow = bytesPerRow
    withUnsafeMutableBytes { bytes in
      for y in place.y - 30..<place.y + 30 {
        for x in place.x - 8..<place.x + 8 { bytes[y * bytesPerRow + 4 * x + 1] = green }
      }
    }
  }
}
