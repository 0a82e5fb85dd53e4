public import Foundation
import KinemaFiles

/// A model that comes with Kinema.
///
/// They lie in `share/kinema` of an installed tree and in `Resources` of a checkout; both are found
/// from where the running program is, so that a tree can be moved.
///
/// ```swift
/// let classifier = try ActionClassifier(contentsOf: BuiltInModel.exercise.url)
/// ```
public enum BuiltInModel: String, CaseIterable, Sendable {
  /// Classifies jumping jacks, lunges, burpees, squats, push-ups and other actions.
  case exercise = "Exercise"
  /// Classifies 31 exercises and what people do every day, such as walking and sitting.
  case workout = "Workout"
  /// Distinguishes the motions of synthetic people, without those that the benchmark of few takes
  /// teaches, which starts from its layers.
  case motions = "Motions"
  /// Estimates the period of a movement, for ``RepetitionCounter``.
  case repetitions = "Repetitions"
  /// Estimates bodies in three dimensions from poses in a picture, for ``BodyLifter``.
  case depth = "Depth"

  /// The name of the model's file.
  public var fileName: String { rawValue + ".mlmodel" }

  /// The model's file.
  ///
  /// - Throws: ``ModelFileError`` with the code ``ModelFileError/Code/notInstalled`` where it is not
  ///   there.
  public var url: URL {
    get throws {
      guard let url = located() else {
        throw ModelFileError(
          .notInstalled, "\(fileName), which comes with Kinema, is missing; install Kinema again.",
          text: MessageText("partMissing", ["part": fileName]))
      }
      return url
    }
  }

  /// The model's file, found as an ``InstalledResource``; `nil` if it is not there.
  package func located(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    executable: URL = InstalledResource.executable,
    currentDirectory: URL = InstalledResource.currentDirectory
  ) -> URL? {
    InstalledResource(fileName).located(
      environment: environment, executable: executable, currentDirectory: currentDirectory)
  }
}
