import Foundation
import KinemaPose
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Testing

@Suite("Networks that are kept as they are compiled")
struct NetworkCacheTests {
  private let folder: TemporaryFolder
  private var networks: URL { folder.url("networks") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let frame = Task { try await Clip("ulisses_jacks.mp4").frames([6])[6] }

  /// The poses that newly loaded networks find.
  private func poses(_ networks: URL) async throws -> [Pose] {
    var runtime = VisionRuntime.located()
    runtime.networkFolder = networks
    let frame = try #require(try await Self.frame.value)
    return try await HumanBodyPoseExtractor(runtime: runtime).applied(to: frame)
  }

  /// The files that are kept, with the inode of each: those that are written again have another one.
  private func kept() throws -> [String: UInt64] {
    var files: [String: UInt64] = [:]
    let manager = FileManager.default
    for name in try manager.contentsOfDirectory(atPath: networks.path) {
      for file in try manager.contentsOfDirectory(atPath: networks.appending(path: name).path) {
        let path = networks.appending(path: "\(name)/\(file)").path
        files["\(name)/\(file)"] =
          try manager.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
      }
    }
    return files
  }

  @Test("they find the same poses, and are read and not written again")
  func reading() async throws {
    let expected = try await poses(URL(filePath: "/proc/nowhere"))
    #expect(!expected.isEmpty)
    #expect(try await poses(networks) == expected)
    let files = try kept()
    #expect(files.keys.count { $0.hasSuffix(".blob") } == 2)
    #expect(files.keys.count { $0.hasSuffix("/seal.json") } == 2 && files.count == 4)
    #expect(try await poses(networks) == expected)
    #expect(try kept() == files)
  }

  @Test(
    "one with another number, cut off, or without its seal is compiled again",
    arguments: ["number", "cut", "seal", "more"])
  func damage(kind: String) async throws {
    let expected = try await poses(networks)
    let files = try kept()
    for name in files.keys {
      let url = networks.appending(path: name)
      switch (kind, name.hasSuffix(".blob")) {
      case ("number", true):
        var data = try Data(contentsOf: url)
        data[data.count / 2] ^= 0x40
        try FileManager.default.removeItem(at: url)
        try data.write(to: url)
      case ("cut", true):
        let data = try Data(contentsOf: url)
        try FileManager.default.removeItem(at: url)
        try data.prefix(data.count / 3).write(to: url)
      case ("seal", false): try FileManager.default.removeItem(at: url)
      case ("more", false):
        try Data("more".utf8).write(
          to: url.deletingLastPathComponent().appending(path: "other.blob"))
      default: break
      }
    }
    #expect(try await poses(networks) == expected)
    let mended = try kept()
    #expect(Set(mended.keys) == Set(files.keys))
    for (name, number) in mended where name.hasSuffix(".blob") { #expect(number != files[name]) }
    #expect(try await poses(networks) == expected)
    #expect(try kept() == mended)
  }

  @Test("the oldest are removed, and what a killed process has left after a day; what is new stays")
  func old() async throws {
    let manager = FileManager.default
    func make(_ name: String, age: Double) throws {
      let url = networks.appending(path: name)
      try manager.createDirectory(at: url, withIntermediateDirectories: true)
      try Data().write(to: url.appending(path: "1.blob"))
      try manager.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: url.path)
    }
    for number in 1...20 { try make("old\(number)", age: 1000 * Double(number)) }
    try make("temporary-1", age: 90_000)
    try make("temporary-2", age: 1000)
    _ = try await poses(networks)
    let names = try Set(manager.contentsOfDirectory(atPath: networks.path))
    #expect(names.count { !$0.hasPrefix("temporary") } == 16)
    #expect(names.isSuperset(of: (1...14).map { "old\($0)" }))
    #expect(names.filter { $0.hasPrefix("temporary") } == ["temporary-2"])
  }

  @Test("threads that need the same network at once compile it once")
  func threads() async throws {
    let results = try await withThrowingTaskGroup(of: [Pose].self) { group in
      for _ in 0..<3 { group.addTask { try await poses(networks) } }
      return try await group.reduce(into: [[Pose]]()) { $0.append($1) }
    }
    #expect(Set(results).count == 1 && results.first?.isEmpty == false)
    #expect(try kept().count == 4)
    #expect(try FileManager.default.contentsOfDirectory(atPath: networks.path).count == 2)
  }
}
