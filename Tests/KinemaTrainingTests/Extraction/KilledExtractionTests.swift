import Foundation
import KinemaPose
import KinemaStreams
import KinemaTraining
import KinemaVideo
import KinemaVision
import Testing

// Tests in processes of their own.
#if compiler(>=6.2)
  @Suite("An extraction whose process is killed")
  struct KilledExtractionTests {
    private static func extractor(_ cache: URL) -> FeatureExtractor {
      FeatureExtractor(configuration: .init(cacheFolder: cache, jobCount: 2)) {
        { frame, _ in [.sample(frame.withUnsafeBytes { Int($0[1]) })] }
      }
    }

    @Test("resumes, and ends in the same cache as without interruption")
    func killed() async throws {
      let folder = try DataFolder()
      for index in 0..<6 {
        try await folder.writeVideo("videos/a/\(index).mp4", frameCount: 40, seed: index)
      }
      let source = ActionClassifierDataSource.labeledDirectories(at: folder.file("videos"))
      let alone = try await Self.extractor(folder.file("alone")).extract(source)
      for delay in [2_000, 9_000, 20_000, 31_000, 47_000, 70_000] as [UInt32] {
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = folder.url.path as String, delay = delay as UInt32] in
          let folder = URL(filePath: path)
          Thread.detachNewThread {
            usleep(delay)
            kill(getpid(), SIGKILL)
          }
          _ = try await Self.extractor(folder.appending(path: "cache")).extract(
            .labeledDirectories(at: folder.appending(path: "videos")))
          while true { usleep(1_000) }
        }
      }
      let resumed = try await Self.extractor(folder.file("cache")).extract(source)
      #expect(resumed.examples == alone.examples && resumed.videos == alone.videos)
      let whole = try DataFolder.contents(of: folder.file("alone"))
      let found = try DataFolder.contents(of: folder.file("cache"))
      #expect(found.filter { !$0.key.hasPrefix("temporary/") } == whole)
    }
  }
#endif
