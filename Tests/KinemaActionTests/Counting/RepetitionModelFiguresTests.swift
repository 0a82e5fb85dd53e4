import Foundation
import KinemaCounting
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("Counting real people by the network", .enabled(if: SharedData.isPresent, SharedData.reason))
struct RepetitionModelFiguresTests {
  @Test("Of every fourth fitness video with poses three quarters are counted within one")
  func fitnessVideos() throws {
    let table = try String(
      contentsOf: SharedData.url("counting/countix_fitness.csv"), encoding: .utf8)
    var rules = RepetitionCounter.Rules()
    rules.method = .network
    var (near, total) = (0, 0)
    for (number, line) in table.split(whereSeparator: \.isNewline).dropFirst().enumerated() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard number % 4 == 0, let truth = Int(fields[2]) else { continue }
      let poses = try PoseSequence(contentsOf: SharedData.url("counting/poses/\(fields[0])"))
      let hasBody = poses.frames.contains { frame in
        MotionSample(frame.poses.first, at: frame.time).found != 0
      }
      // The shorter half keeps the test short.
      guard hasBody, poses.frames.count < 1000 else { continue }
      let count = try RepetitionCounter.repetitions(in: poses, rules: rules).repetitions.count
      total += 1
      if abs(count - truth) <= 1 { near += 1 }
    }
    #expect(total > 20)
    #expect(Double(near) >= 0.75 * Double(total), "\(near) of \(total)")
  }
}
