import Foundation
import Kinema
import KinemaTestSupport
import Synchronization
import Testing

/// The Swift code in the README, as it stands there.
@Suite("README")
struct ReadmeTests {
  @Test("the Swift code of the README is the code of this test")
  func text() throws {
    let readme = try String(
      contentsOf: SharedData.packageRoot.appending(path: "README.md"), encoding: .utf8)
    let block = try #require(readme.components(separatedBy: "```swift\n").dropFirst().first)
    let code = try #require(block.components(separatedBy: "```").first)
    let shown = code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let file = try String(contentsOfFile: #filePath, encoding: .utf8)
    let lines = file.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let start = try #require(lines.firstIndex(of: "// README: begin"))
    let end = try #require(lines.firstIndex(of: "// README: end"))
    #expect(shown.first == "import Kinema")
    #expect(Array(shown.dropFirst()) == Array(lines[(start + 1)..<end]))
  }

  @Test(
    "the Swift code of the README classifies a video",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func run() async throws {
    let printed = Mutex<[String]>([])
    // The README's file name stands for a clip.
    func URL(filePath path: String) throws -> Foundation.URL {
      try #require(path == "workout.mp4")
      return SharedData.url("clips/cesta_jacks.mp4")
    }
    func print(_ range: Range<Double>, _ label: String, _ confidence: Double) {
      printed.withLock { $0.append(label) }
      #expect(!range.isEmpty)
      #expect((0...1).contains(confidence))
    }

    // README: begin
    let classifier = try ActionClassifier(contentsOf: BuiltInModel.exercise.url)
    let pipeline = HumanBodyPoseExtractor()
      .appending(PoseSelector(strategy: .maximumBoundingBoxArea))
      .appending(ActionPredictor(classifier: classifier))

    let frames = try await VideoReader.read(contentsOf: URL(filePath: "workout.mp4"))
    for try await prediction in try await pipeline(frames) {
      print(prediction.id.rangeInSeconds, prediction.feature.label, prediction.feature.confidence)
    }
    // README: end

    let labels = printed.withLock { $0 }
    #expect(labels.count { $0 == "jumping_jacks" } > labels.count / 2)
  }
}
