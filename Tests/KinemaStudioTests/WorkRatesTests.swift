import KinemaStudio
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Estimates of training")
struct WorkRatesTests {
  private let folder: TemporaryFolder
  private let rates: WorkRates

  init() throws {
    folder = try TemporaryFolder()
    rates = WorkRates(folder: folder.url)
  }

  @Test("until something is measured, they follow the figures of the benchmarks")
  func builtIn() throws {
    var parameters = ProjectParameters()
    parameters.iterations = 100
    let work = WorkRates.Work(
      unextractedSeconds: 22, itemCount: 10, classCount: 2, seconds: 70)
    let estimate = try rates.estimate(work, parameters)
    // 660 frames at 220 a second; a window of two seconds a second of each item: 60 an epoch.
    #expect(estimate.extractionSeconds == 3)
    #expect(abs(estimate.trainingSeconds - 60 * 100 / 5000) < 1e-9)
    parameters.algorithm = .stgcn
    #expect(try rates.estimate(work, parameters).trainingSeconds == 20)
  }

  @Test("with few takes, they include the trainings without some of them")
  func takes() throws {
    var parameters = ProjectParameters()
    parameters.from = "Exercise"
    let three = WorkRates.Work(unextractedSeconds: 0, itemCount: 6, classCount: 2, seconds: 48)
    let one = WorkRates.Work(unextractedSeconds: 0, itemCount: 2, classCount: 2, seconds: 16)
    let long = try rates.estimate(three, parameters)
    let short = try rates.estimate(one, parameters)
    #expect(long.extractionSeconds == 0)
    #expect(abs(long.trainingSeconds / short.trainingSeconds - 2.5) < 1e-9)
    parameters.other = false
    #expect(try rates.estimate(three, parameters).trainingSeconds < long.trainingSeconds / 2)
  }
}
