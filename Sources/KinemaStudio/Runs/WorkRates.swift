package import Foundation
import KinemaFiles
import KinemaTraining
import Synchronization

/// How fast this machine extracts and trains: measured by its runs, and kept in a file.
package final class WorkRates: Sendable {
  /// What a training of a project's items will take, in seconds.
  package struct Estimate: Codable, Hashable, Sendable {
    package var extractionSeconds: Double
    package var trainingSeconds: Double
  }

  /// The items of a training.
  package struct Work: Hashable, Sendable {
    /// Seconds of video without known poses.
    package var unextractedSeconds: Double
    /// Items in the training well, their classes and seconds.
    package var itemCount: Int
    package var classCount: Int
    package var seconds: Double

    package init(
      unextractedSeconds: Double, itemCount: Int, classCount: Int, seconds: Double
    ) {
      self.unextractedSeconds = unextractedSeconds
      self.itemCount = itemCount
      self.classCount = classCount
      self.seconds = seconds
    }
  }

  private struct Rates: Codable {
    /// 720p with one person, two threads (docs/benchmarks.md, “How fast are all cores?”).
    var framesPerSecond = 220.0
    /// Windows a second by ``WorkRates/kind(_:)``, augmentation included, two threads
    /// (docs/benchmarks.md, “How fast is training?” and “How well do few takes teach?”).
    var windowsPerSecond = ["tcn": 5000.0, "posture": 1600.0, "stgcn": 300.0, "transfer": 2500.0]
  }

  /// Shorter work says little about a rate, in seconds.
  private static let leastSeconds = 1.0
  private static let frameRate = 30.0

  private let file: URL
  private let rates: Mutex<Rates>

  /// - Parameter folder: The folder that keeps `rates.json`; made when it is needed.
  package init(folder: URL) {
    file = folder.appending(path: "rates.json")
    // Without those of earlier work, estimates start from the default ones.
    let known = (try? Data(contentsOf: file)).flatMap {
      try? JSONDecoder().decodeForeign(Rates.self, from: $0)
    }
    rates = Mutex(known ?? Rates())
  }

  /// The expected time; throws ``StudioError`` for parameters out of range.
  package func estimate(_ work: Work, _ parameters: ProjectParameters) throws -> Estimate {
    let training = try parameters.training()
    let rates = rates.withLock { $0 }
    let windows = Self.windowCount(work, parameters, training)
    let rate = rates.windowsPerSecond[Self.kind(parameters)] ?? 0
    return Estimate(
      extractionSeconds: work.unextractedSeconds * Self.frameRate
        / max(1, rates.framesPerSecond),
      trainingSeconds: windows * Double(training.maximumIterations) / max(1, rate))
  }

  /// The windows of an epoch, with the trainings without some takes as parts of it.
  private static func windowCount(
    _ work: Work, _ parameters: ProjectParameters, _ training: ActionClassifierParameters
  ) -> Double {
    guard parameters.from != nil else {
      let beyond = work.seconds - Double(work.itemCount) * training.actionDuration
      return max(Double(work.itemCount), Double(work.itemCount) + beyond)
    }
    let addsOther = parameters.other ?? true
    // As TransferLearning: 300 synthetic people with three windows each, or 600 windows a class; up to
    // three trainings of half the length leave takes out.
    let perClass = addsOther ? 900.0 : 600.0
    let takes = work.itemCount / max(1, work.classCount)
    return perClass * Double(work.classCount + (addsOther ? 1 : 0))
      * (1 + 0.5 * Double(takes > 1 ? min(3, takes) : 0))
  }

  private static func kind(_ parameters: ProjectParameters) -> String {
    parameters.from == nil ? (parameters.algorithm ?? .tcn).rawValue : "transfer"
  }

  /// Notes how long an extraction took.
  func noteExtraction(frames: Int, seconds: Double) {
    guard seconds >= Self.leastSeconds, frames > 0 else { return }
    note { $0.framesPerSecond = Double(frames) / seconds }
  }

  /// Notes how long a number of windows of a training took.
  func noteTraining(windows: Double, seconds: Double, _ parameters: ProjectParameters) {
    guard seconds >= Self.leastSeconds, windows > 0 else { return }
    note { $0.windowsPerSecond[Self.kind(parameters)] = windows / seconds }
  }

  private func note(_ change: (inout Rates) -> Void) {
    let rates = rates.withLock {
      change(&$0)
      return $0
    }
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try WholeFile.write(try JSONEncoder().encode(rates), to: file)
    } catch {
      // An estimate is no reason to fail; memory has it, and the next work writes it again.
    }
  }
}
