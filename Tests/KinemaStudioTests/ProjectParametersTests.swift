import Foundation
import KinemaStudio
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Parameters of a project") struct ProjectParametersTests {
  @Test("what is not set is the trainer's default")
  func defaults() throws {
    let training = try ProjectParameters().training()
    #expect(training.targetFrameRate == ActionClassifierParameters().targetFrameRate)
    #expect(training.actionDuration == ActionClassifierParameters().actionDuration)
    #expect(training.augmentationOptions == [.horizontalFlip, .poses])
    let filled = try ProjectParameters().filled()
    #expect(filled.duration == training.actionDuration && filled.seed == training.seed)
    #expect(filled.augmentation == .default && filled.validation == .automatic)
    #expect(filled.other == nil)
  }

  @Test("what is set reaches the training")
  func values() throws {
    var parameters = ProjectParameters()
    parameters.duration = 0.5
    parameters.frameRate = 10
    parameters.iterations = 7
    parameters.batchSize = 3
    parameters.augmentation = .flip
    parameters.validation = .share(0.25)
    parameters.seed = 42
    let training = try parameters.training()
    #expect(training.predictionWindowSize == 5)
    #expect(training.maximumIterations == 7 && training.batchSize == 3 && training.seed == 42)
    #expect(training.augmentationOptions == .horizontalFlip)
  }

  private static let changesOutOfRange: [@Sendable (inout ProjectParameters) -> Void] = [
    { $0.iterations = 0 }, { $0.batchSize = 0 }, { $0.frameRate = 0 }, { $0.duration = 0 },
    { $0.validation = .share(1) }, { $0.seed = .max },
    {
      $0.from = "Exercise"
      $0.algorithm = .stgcn
    },
  ]

  @Test("values out of range are refused with a sentence", arguments: changesOutOfRange)
  func outOfRange(change: @Sendable (inout ProjectParameters) -> Void) {
    var parameters = ProjectParameters()
    change(&parameters)
    let error = expectError(StudioError.self) { try parameters.training() }
    #expect(error?.code == .badRequest)
    #expect(error?.message.hasSuffix(".") == true)
  }

  @Test(
    "validation is written as auto, none or a share",
    arguments: [(#""auto""#, .automatic), (#""none""#, .none), ("0.25", .share(0.25))]
      as [(String, ProjectParameters.Validation)])
  func validation(text: String, validation: ProjectParameters.Validation) throws {
    let read = try JSONDecoder().decode(
      ProjectParameters.Validation.self, from: Data(text.utf8))
    #expect(read == validation)
    #expect(String(decoding: try JSONEncoder().encode(validation), as: UTF8.self) == text)
  }

  @Test("another word for validation is refused")
  func otherWord() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ProjectParameters.Validation.self, from: Data(#""some""#.utf8))
    }
  }

  @Test("without a model to start from there is no transfer, and none is loaded")
  func noTransfer() throws {
    let transfer = try ProjectParameters().transfer { name in
      throw StudioError(.noModel(id: name))
    }
    #expect(transfer == nil)
  }
}
