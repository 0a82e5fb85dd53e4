import Foundation
import KinemaPose
import KinemaStreams
import KinemaTestSupport
import KinemaTraining
import KinemaVideo
import KinemaVision
import Testing

@Suite("Real videos", .enabled(if: SharedData.isPresent, SharedData.reason))
struct SharedClipsExtractionTests {
  @Test("the table of the clips is read as it is")
  func index() throws {
    let listing = try ActionClassifierDataSource.automatic(at: SharedData.url("clips")).listing()
    #expect(listing.annotations.count == 102)
    #expect(Set(listing.annotations.map(\.url)).count == 84)
    #expect(listing.findings.isEmpty)
  }

  @Test("an example has the same poses as its video alone")
  func samePoses() async throws {
    let folder = try DataFolder()
    let clips = ["aero_walk.mp4", "aero_squat.mp4"].map { SharedData.url("clips/\($0)") }
    // One job for both videos: the second uses an extractor that was used before.
    let configuration = FeatureExtractor.Configuration(
      cacheFolder: folder.file("cache"), jobCount: 1)
    let listing = DataListing(annotations: clips.map { ActionAnnotation(url: $0, label: "x") })
    let data = try await FeatureExtractor(configuration: configuration).extract([listing])[0]
    for (clip, example) in zip(clips, data.examples) {
      let extractor = HumanBodyPoseExtractor()
      var selector = ProminentPersonSelector()
      var index = 0
      for try await frame in try await VideoReader.read(contentsOf: clip) {
        let chosen = selector.select(from: try await extractor.applied(to: frame).feature)
        let found = example.poses.frames[index].poses.first
        #expect(found?.keypoints == chosen?.keypoints)
        index += 1
      }
      #expect(index == example.poses.frames.count)
    }
  }
}
