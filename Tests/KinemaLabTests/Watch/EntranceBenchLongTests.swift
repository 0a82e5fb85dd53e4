import KinemaLab
import KinemaVision
import Testing

struct EntranceBenchLongTests {
  @Test("people who enter a sleeping room are reported as soon as by every frame")
  func entrances() async throws {
    var bench = EntranceBench()
    bench.count = 12
    let report = try await bench.run(.shared(workerCount: 2))
    #expect(report.entrances.count == 12)
    #expect(report.entrances.contains { $0.full != nil })
    #expect(report.punctualShare == 1, "\(report.table)")
    // A source begins with three seconds of every frame, and goes on where somebody moves.
    #expect(report.entrances.allSatisfy { $0.rateBefore < ($0.company == .moving ? 26 : 16) })
  }
}
