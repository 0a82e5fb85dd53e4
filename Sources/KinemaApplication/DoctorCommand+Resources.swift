import Foundation
import Kinema
import KinemaCoach
import KinemaDepth
import KinemaFiles
import KinemaServer
import KinemaWatch

extension DoctorCommand {
  /// The files that come with Kinema beside the program, each read as the commands read it.
  static func resources() -> [Part] {
    let models = BuiltInModel.allCases.map { model in
      resource(model.fileName, purpose(of: model), at: model.located()) { try read(model, at: $0) }
    }
    let others: [Part] = [
      resource(
        PostureModel.fileName, "recognises postures, and falls by them",
        at: located(PostureModel.fileName)
      ) { _ = try PostureModel(contentsOf: $0) },
      resource(
        FallModel.fileName, "recognises falls", at: located(FallModel.fileName)
      ) { _ = try FallModel(contentsOf: $0) },
      resource(CoachFile.form.rawValue, "what good form is", at: located(CoachFile.form.rawValue)) {
        _ = try Rulebook(contentsOf: $0)
      },
      resource(CoachFile.tests.rawValue, "clinical tests", at: located(CoachFile.tests.rawValue)) {
        _ = try TestBook(contentsOf: $0)
      },
      resource(
        CoachFile.quality.rawValue, "how right executions differ from wrong ones",
        at: located(CoachFile.quality.rawValue)
      ) { _ in _ = try [String: QualityModel].builtIn },
      resource("web", "the pages", at: WebResources.folder()) { _ in },
    ]
    return models + others
  }

  private static func purpose(of model: BuiltInModel) -> String {
    switch model {
    case .exercise, .workout: "recognises exercises"
    case .motions: "what the benchmark of few takes starts from"
    case .repetitions: "counts repetitions"
    case .depth: "estimates bodies in three dimensions"
    }
  }

  private static func read(_ model: BuiltInModel, at url: URL) throws {
    switch model {
    case .exercise, .workout, .motions: _ = try ActionClassifier(contentsOf: url)
    case .repetitions: _ = try NetworkPeriodEstimator(contentsOf: url)
    case .depth: _ = try BodyLifter(contentsOf: url)
    }
  }

  private static func located(_ name: String) -> URL? { InstalledResource(name).located() }

  private static func resource(
    _ name: String, _ purpose: String, at url: URL?, read: (URL) throws -> Void
  ) -> Part {
    var isWhole = false
    if let url {
      do {
        try read(url)
        isWhole = true
      } catch {
        // The remedy is the same whatever is wrong with it.
      }
    }
    return Part(
      name: name, purpose: purpose, path: url?.path, isFound: isWhole,
      remedy: isWhole ? nil : "install Kinema again")
  }
}
