import Foundation
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Testing

@Suite(.serialized)
struct VisionRuntimeTests {
  /// A folder that is gone after the test.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "kinema-\(UUID().uuidString)")

    init(_ subfolders: String...) throws {
      for name in [""] + subfolders {
        try FileManager.default.createDirectory(
          at: url.appending(path: name), withIntermediateDirectories: true)
      }
    }

    deinit {
      try? FileManager.default.removeItem(at: url)
    }
  }

  @Test("every part is present, and OpenVINO reports its version")
  func parts() throws {
    let parts = VisionRuntime.located().parts
    #expect(parts.count == 9)
    #expect(parts.allSatisfy { $0.url != nil && $0.remedy == nil })
    #expect(parts.first?.version?.hasPrefix("2026.") == true)
  }

  @Test("any OpenVINO of the year serves: the preferred one, else the newest")
  func versions() throws {
    let folder = try Folder("lib/kinema")
    func runtime(_ versions: String...) throws -> String {
      let folder = try Folder("lib/kinema")
      for version in versions {
        try Data().write(to: folder.url.appending(path: "lib/kinema/libopenvino_c.so.\(version)"))
      }
      return VisionRuntime(home: folder.url).openVINO
    }
    let preferred = VisionRuntime.preferredOpenVINO
    #expect(VisionRuntime(home: folder.url).openVINO == preferred)
    #expect(try runtime("2600", preferred, "2699") == preferred)
    #expect(try runtime("2600", "2620") == "2620")
    #expect(try runtime("2530", "2700") == preferred)
    #expect(try runtime("2600", "26100", "26.old") == "26100")
  }

  @Test("KINEMA_HOME comes first, even if nothing is there")
  func environment() throws {
    let folder = try Folder()
    let runtime = VisionRuntime.located(environment: ["KINEMA_HOME": folder.url.path])
    #expect(runtime.home?.path == folder.url.path)
    #expect(runtime.parts.allSatisfy { $0.url == nil && $0.remedy != nil })
  }

  @Test("an installed program finds its parts beside itself")
  func installedTree() throws {
    let folder = try Folder("bin", "share/kinema", ".kinema/lib/kinema")
    let runtime = VisionRuntime.located(
      environment: [:], executable: folder.url.appending(path: "bin/kinema"),
      currentDirectory: URL(filePath: "/"))
    #expect(runtime.home?.standardizedFileURL.path == folder.url.standardizedFileURL.path)
  }

  @Test(
    "the set-up folder of a checkout is found from the executable and from the folder one is in")
  func checkout() throws {
    let folder = try Folder(".kinema/lib/kinema", ".build/release", "docs")
    let fromExecutable = VisionRuntime.located(
      environment: [:], executable: folder.url.appending(path: ".build/release/kinema"),
      currentDirectory: URL(filePath: "/"))
    let fromFolder = VisionRuntime.located(
      environment: [:], executable: URL(filePath: "/nowhere/bin/kinema"),
      currentDirectory: folder.url.appending(path: "docs"))
    for runtime in [fromExecutable, fromFolder] {
      #expect(runtime.home?.lastPathComponent == ".kinema")
    }
  }

  @Test("a program that uses the library finds the tree of `kinema` on the PATH, through links")
  func treeOnThePath() throws {
    let folder = try Folder("tree/bin", "tree/share/kinema", "bin")
    let program = folder.url.appending(path: "tree/bin/kinema")
    let isCreated = FileManager.default.createFile(
      atPath: program.path, contents: Data(), attributes: [.posixPermissions: 0o755])
    try #require(isCreated)
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "bin/kinema"), withDestinationURL: program)
    let runtime = VisionRuntime.located(
      environment: ["PATH": "/nowhere:\(folder.url.path)/bin"],
      executable: URL(filePath: "/nowhere/bin/program"), currentDirectory: URL(filePath: "/"))
    let expected = folder.url.appending(path: "tree").resolvingSymlinksInPath().path
    #expect(runtime.home?.path == expected)
  }

  @Test("KINEMA_OPENVINO names OpenVINO's libraries, and the weights stay where they are")
  func openVINOElsewhere() throws {
    let home = try #require(VisionRuntime.located().home)
    let folder = try Folder("share")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "share/kinema"),
      withDestinationURL: home.appending(path: "share/kinema"))
    let libraries = home.appending(path: "lib/kinema").path
    let parts = VisionRuntime.located(
      environment: ["KINEMA_HOME": folder.url.path, "KINEMA_OPENVINO": libraries]
    ).parts
    #expect(parts.allSatisfy { $0.remedy == nil })
    #expect(parts.count { $0.url?.path.hasPrefix(libraries) == true } == 5)
    #expect(parts.count { $0.url?.path.hasPrefix(folder.url.path) == true } == 4)
  }

  @Test("without its parts the extractor says which is missing and what to do")
  func missingParts() async throws {
    let folder = try Folder()
    for runtime in [
      VisionRuntime(home: folder.url),
      VisionRuntime.located(
        environment: [:], executable: URL(filePath: "/nowhere/bin/kinema"),
        currentDirectory: folder.url),
    ] {
      let error = try await failure(of: runtime)
      #expect(error.code == .missingPart)
      #expect(error.message.contains("pose_detection.tflite"))
      #expect(error.message.contains("run `kinema doctor`"))
      let hands = HumanHandPoseExtractor(configuration: .init(), runtime: runtime)
      let handError = await expectAsyncError(VisionError.self) {
        _ = try await hands.applied(to: Frame(width: 64, height: 64))
      }
      #expect(handError?.code == .missingPart)
      #expect(handError?.message.contains("palm_detection_full.tflite") == true)
    }
  }

  @Test(
    "weights that are cut short, empty or something else are refused by name",
    arguments: ["cut", "empty", "other", "folder"])
  func brokenWeights(kind: String) async throws {
    let home = try #require(VisionRuntime.located().home)
    let folder = try Folder("share/kinema", "lib")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "lib/kinema"),
      withDestinationURL: home.appending(path: "lib/kinema"))
    let names = [
      "pose_detection.tflite", "pose_landmark_full.tflite", "palm_detection_full.tflite",
      "hand_landmark_full.tflite",
    ]
    for name in names {
      try FileManager.default.copyItem(
        at: home.appending(path: "share/kinema").appending(path: name),
        to: folder.url.appending(path: "share/kinema").appending(path: name))
    }
    let damaged = folder.url.appending(path: "share/kinema").appending(path: names[1])
    let whole = try Data(contentsOf: damaged)
    try FileManager.default.removeItem(at: damaged)
    switch kind {
    case "cut": try whole.prefix(whole.count / 2).write(to: damaged)
    case "empty": try Data().write(to: damaged)
    case "other": try Data(repeating: 7, count: whole.count).write(to: damaged)
    default:
      try FileManager.default.createDirectory(at: damaged, withIntermediateDirectories: false)
    }
    let runtime = VisionRuntime(home: folder.url)
    let error = try await failure(of: runtime)
    #expect(error.code == .unusablePart)
    #expect(error.message.contains(names[1]))
    #expect(runtime.parts.filter { $0.remedy != nil }.map(\.name).contains(names[1]))
  }

  @Test("a library that is not OpenVINO is refused with what the loader says")
  func brokenLibrary() async throws {
    let home = try #require(VisionRuntime.located().home)
    let folder = try Folder("lib/kinema", "share")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "share/kinema"),
      withDestinationURL: home.appending(path: "share/kinema"))
    for part in VisionRuntime.located().parts.prefix(5) {
      try Data("not a library".utf8).write(
        to: folder.url.appending(path: "lib/kinema").appending(path: part.name))
    }
    let error = try await failure(of: VisionRuntime(home: folder.url))
    #expect(error.code == .unusablePart)
    #expect(error.message.contains("libopenvino_c.so.2641 cannot be loaded ("))
  }

  private func failure(of runtime: VisionRuntime) async throws -> VisionError {
    let extractor = HumanBodyPoseExtractor(configuration: .init(), runtime: runtime)
    return try await requireAsyncError(VisionError.self) {
      _ = try await extractor.applied(to: Frame(width: 64, height: 64))
    }
  }
}
