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
      // The child learns from its environment what to do.
      setenv("KINEMA_TEST_FOLDER", folder.url.path, 1)
      defer { unsetenv("KINEMA_TEST_FOLDER") }
      for microseconds in [2_000, 9_000, 20_000, 31_000, 47_000, 70_000] {
        setenv("KINEMA_TEST_DELAY", "\(microseconds)", 1)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          let environment = ProcessInfo.processInfo.environment
          let folder = URL(filePath: environment["KINEMA_TEST_FOLDER"] ?? "")
          let delay = UInt32(environment["KINEMA_TEST_DELAY"] ?? "") ?? 0
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
