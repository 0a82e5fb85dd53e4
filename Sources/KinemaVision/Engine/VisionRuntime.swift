public import Foundation
import KinemaFiles

/// The parts that vision needs at run time: OpenVINO's libraries and the networks' weights.
///
/// They are in a *home*, a folder with `lib/kinema` and `share/kinema`, which
/// ``located(environment:executable:currentDirectory:)`` finds. OpenVINO's libraries may also be
/// elsewhere, such as in its Python package.
public struct VisionRuntime: Sendable {
  /// A part, found or missing.
  public struct Part: Sendable, Hashable {
    /// The name of the part's file.
    public let name: String
    /// The location; `nil` if missing.
    public let url: URL?
    /// The version, if known.
    public let version: String?
    /// What to do, in one sentence; `nil` if the part is usable.
    public let remedy: String?
  }

  /// A processor that OpenVINO can use.
  public struct Device: Sendable, Hashable {
    /// OpenVINO's name, such as `CPU` or `GPU.0`.
    public let name: String
    /// The maker's name, if known.
    public let fullName: String?
  }

  /// The folder with `lib/kinema` and `share/kinema`; `nil` if there is none.
  public let home: URL?
  /// The folder with OpenVINO's libraries; `nil` if there is none.
  private let libraryFolder: URL?

  /// What networks are compiled for, where it is there.
  package var device = NetworkDevice.cpu

  /// Where the user's networks are kept.
  package var networkFolder = CacheFolder.url(named: "networks")
  /// The cache in it; `nil` where OpenVINO lacks what reads them again.
  package var networkCache: NetworkCache? {
    let reader = libraryFolder?.appending(path: "libopenvino_ir_frontend.so.\(openVINO)")
    return reader.map { FileManager.default.isReadableFile(atPath: $0.path) } == true
      ? NetworkCache(folder: networkFolder) : nil
  }

  /// The networks that find people, and their landmarks.
  package var bodyDetector: any BodyDetector.Type = BlazePoseDetector.self
  package var bodyNetwork: any BodyNetwork.Type = BlazePoseNetwork.self

  /// A runtime with parts in a given folder, which is checked on use.
  public init(home: URL) { self.init(home: home, libraryFolder: nil) }

  private init(home: URL?, libraryFolder: URL?) {
    self.home = home
    self.libraryFolder = libraryFolder ?? home?.appending(path: "lib/kinema")
  }

  /// The runtime of a program.
  ///
  /// The first of: `KINEMA_HOME`; the folder above the executable's, with `lib/kinema` or
  /// `share/kinema`; a folder `.kinema` beside or above the executable, or in or above the current
  /// directory; the folder above that of `kinema` on the `PATH`. If `KINEMA_HOME` is set, no other
  /// folder is searched. `KINEMA_OPENVINO` names a folder with OpenVINO's libraries instead of
  /// `lib/kinema`.
  ///
  /// - Returns: The runtime; its ``home`` is `nil` if none of these folders exists.
  public static func located(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    executable: URL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(),
    currentDirectory: URL = URL(filePath: FileManager.default.currentDirectoryPath)
  ) -> VisionRuntime {
    func folder(named variable: String) -> URL? {
      environment[variable].flatMap { $0.isEmpty ? nil : URL(filePath: $0) }
    }
    let libraryFolder = folder(named: "KINEMA_OPENVINO")
    if let chosen = folder(named: "KINEMA_HOME") {
      return VisionRuntime(home: chosen, libraryFolder: libraryFolder)
    }
    let homes = InstalledResource.homes(
      environment: environment, executable: executable, currentDirectory: currentDirectory)
    return VisionRuntime(home: homes.first(where: isHome), libraryFolder: libraryFolder)
  }

  /// The status of every required part; loads OpenVINO for its version.
  public var parts: [Part] {
    // Without a version, the part itself is reported as missing.
    let version = try? OpenVINO.loaded(from: library(named: libraries[0])).version
    return libraries.map { name in
      part(named: name, in: libraryFolder, version: version)
    }
      + Weights.all.map { name in
        part(named: name.fileName, in: weightsFolder, version: nil)
      }
  }

  // MARK: - Devices

  /// The library with which OpenVINO uses a device.
  package static func plugin(of device: NetworkDevice) -> String {
    switch device {
    #if arch(arm64)
      case .cpu: "libopenvino_arm_cpu_plugin.so"
    #else
      case .cpu: "libopenvino_intel_cpu_plugin.so"
    #endif
    case .gpu: "libopenvino_intel_gpu_plugin.so"
    case .npu: "libopenvino_intel_npu_plugin.so"
    case .auto: "libopenvino_auto_plugin.so"
    }
  }

  /// Whether that library is among OpenVINO's.
  package func hasPlugin(of device: NetworkDevice) -> Bool {
    guard let libraryFolder else { return false }
    return FileManager.default.isReadableFile(
      atPath: libraryFolder.appending(path: Self.plugin(of: device)).path)
  }

  /// The devices that OpenVINO finds, and `AUTO` where its plug-in is there; loads OpenVINO, none without it.
  public var devices: [Device] {
    // Without OpenVINO, its parts are reported as missing.
    guard let engine = try? OpenVINO.loaded(from: openVINOInterface()) else { return [] }
    return engine.devices
      + (hasPlugin(of: .auto) ? [Device(name: NetworkDevice.auto.rawValue, fullName: nil)] : [])
  }

  /// The device that is used where one is asked for: the CPU in place of one that is not there.
  package func usedDevice(_ wanted: NetworkDevice) -> NetworkDevice {
    wanted == .cpu ? .cpu : wanted.chosen(from: devices.map(\.name))
  }

  /// The same with networks that are compiled for another device.
  package func on(_ device: NetworkDevice) -> VisionRuntime {
    var runtime = self
    runtime.device = device
    return runtime
  }

  // MARK: - Single parts

  /// The version of OpenVINO, as in the names of its libraries, that comes with Kinema and gives the figures of
  /// its documents: 2026.4.1.
  package static let preferredOpenVINO = "2641"
  /// How the versions begin that may stand in for it, those of the year: their C interface is the same.
  private static let openVINOYear = "26"
  private static let interfacePrefix = "libopenvino_c.so."

  /// The version of the libraries: the preferred one, else the newest of its year that is there.
  package var openVINO: String {
    let names = libraryFolder.flatMap {
      // A folder that is not there has no libraries, which is reported where they are used.
      try? FileManager.default.contentsOfDirectory(atPath: $0.path)
    }
    let versions = (names ?? []).filter { $0.hasPrefix(Self.interfacePrefix) }
      .map { String($0.dropFirst(Self.interfacePrefix.count)) }
      .filter { $0.hasPrefix(Self.openVINOYear) && $0.allSatisfy(\.isNumber) }
    guard !versions.contains(Self.preferredOpenVINO) else { return Self.preferredOpenVINO }
    return versions.max { ($0.count, $0) < ($1.count, $1) } ?? Self.preferredOpenVINO
  }

  /// The names of OpenVINO's libraries, its C interface first.
  private var libraries: [String] {
    let version = openVINO
    return [
      Self.interfacePrefix + version, "libopenvino.so.\(version)",
      Self.plugin(of: .cpu), "libopenvino_tensorflow_lite_frontend.so.\(version)",
      "libtbb.so.12",
    ]
  }

  /// The path of OpenVINO's C interface; throws unless all its libraries are present.
  func openVINOInterface() throws(VisionError) -> URL {
    let libraries = libraries
    for name in libraries {
      _ = try library(named: name)
    }
    return try library(named: libraries[0])
  }

  /// The path of an intact file of weights.
  func file(of weights: Weights) throws(VisionError) -> URL {
    let url = try file(named: weights.fileName, in: weightsFolder)
    if let fault = weights.fault(in: url) {
      throw VisionError(
        .unusablePart, "\(url.path) \(fault); run `kinema doctor`.",
        text: MessageText("unusablePart", ["part": url.path]))
    }
    return url
  }

  /// The SHA-256 of a file of weights; that of the preferred one where none can be read.
  ///
  /// So cached poses are read without the networks; new ones need a file that can be read.
  func contentHash(of weights: Weights) -> String {
    weightsFolder.flatMap {
      try? Weights.contentHash(ofFileAt: $0.appending(path: weights.fileName))
    } ?? weights.hashes[0]
  }

  private func library(named name: String) throws(VisionError) -> URL {
    try file(named: name, in: libraryFolder)
  }

  private var weightsFolder: URL? { home?.appending(path: "share/kinema") }

  private func file(named name: String, in folder: URL?) throws(VisionError) -> URL {
    guard let folder else {
      throw VisionError(
        .missingPart,
        "\(name) is missing: no folder with Kinema's parts was found; install Kinema, set "
          + "KINEMA_HOME, or run `kinema doctor`.", text: MessageText("partMissing", ["part": name])
      )
    }
    let url = folder.appending(path: name)
    guard FileManager.default.isReadableFile(atPath: url.path) else {
      throw VisionError(
        .missingPart, "\(url.path) is missing; run `kinema doctor`.",
        text: MessageText("partMissing", ["part": url.path]))
    }
    return url
  }

  private func part(named name: String, in folder: URL?, version: String?) -> Part {
    guard let url = try? file(named: name, in: folder) else {
      return Part(
        name: name, url: nil, version: nil,
        remedy: folder.map { "Install Kinema again, or put \(name) into \($0.path)." }
          ?? "Run `make` in the checkout, install Kinema again, or set KINEMA_HOME.")
    }
    let fault = Weights.all.first { $0.fileName == name }.flatMap { $0.fault(in: url) }
    return Part(
      name: name, url: url, version: version,
      remedy: fault.map { "\(name) \($0); install Kinema again." })
  }

  private static func isHome(_ folder: URL) -> Bool {
    ["lib/kinema", "share/kinema"].contains { path in
      FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }
  }
}
