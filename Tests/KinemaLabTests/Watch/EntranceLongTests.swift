import KinemaLab
import KinemaVision
import Testing

struct EntranceLongTests {
  @Test("people who enter are reported at most 0.7 s later than every frame would, in 99 %")
  func entrances() async throws {
    let report = try await EntranceBench().run(.shared(workerCount: 2))
    #expect(report.entrances.count == 200)
    #expect(report.punctualShare >= 0.99, "\(report.table)")
  }
}
