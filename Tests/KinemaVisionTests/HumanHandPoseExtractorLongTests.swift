import Foundation
import KinemaPose
import KinemaTestSupport
import KinemaVision
import Testing

/// The clips that ``HumanHandPoseExtractorTests`` leaves out, 1200 frames.
@Suite(.enabled(if: SharedData.isPresent, SharedData.reason))
struct HumanHandPoseExtractorLongTests {
  @Test(
    "a clip has a hand in at least as many frames as MediaPipe finds one",
    arguments: MediaPipeHandCounts.long)
  func frameCount(expected: MediaPipeHandCounts) async throws { try await expected.check() }
}

/// In how many frames of a clip MediaPipe finds a hand (`Scripts/golden/count_frames.py --hands`).
struct MediaPipeHandCounts: CustomTestStringConvertible {
  let clip: String
  let frames: Int
  let found: Int
  let hands: Int

  var testDescription: String { clip }

  static var short: [MediaPipeHandCounts] { all.filter { $0.frames < 130 } }
  static var long: [MediaPipeHandCounts] { all.filter { $0.frames >= 130 } }

  private static let all: [MediaPipeHandCounts] = {
    let url = SharedData.packageRoot
      .appending(path: "Tests/KinemaVisionTests/Fixtures/mediapipe_hand_frames.csv")
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst()
      .compactMap { line in
        let fields = line.split(separator: ",")
        let numbers = fields.dropFirst().compactMap { Int($0) }
        guard numbers.count == 3, let clip = fields.first else { return nil }
        return MediaPipeHandCounts(
          clip: String(clip), frames: numbers[0], found: numbers[1], hands: numbers[2])
      }
  }()

  /// Expects a hand in at least as many frames of the clip, and prints what there is.
  func check() async throws {
    let extractor = HumanHandPoseExtractor()
    await extractor.measureStages()
    var (frameCount, foundCount, handCount) = (0, 0, 0)
    var ids: Set<Int> = []
    try await Clip(clip).forEachFrame { _, frame in
      frameCount += 1
      let poses = try await extractor.applied(to: frame)
      foundCount += poses.isEmpty ? 0 : 1
      handCount += poses.count
      ids.formUnion(poses.compactMap(\.personID))
      #expect(poses.count <= 2)
      return true
    }
    #expect(frameCount == frames)
    #expect(foundCount >= found)
    print("\(clip): \(foundCount) of \(frames) frames, \(handCount) hands;", terminator: " ")
    let times = await extractor.stageTimes
    let milliseconds = times.seconds.reduce(0, +) / Double(frames) * 1000
    print("MediaPipe \(found), \(hands); \(ids.count) ids;", terminator: " ")
    print("runs \(times.counts), \((milliseconds * 100).rounded() / 100) ms a frame")
  }
}
