import Foundation
import Kinema
import KinemaFiles
import KinemaNetwork
import KinemaReport

/// `kinema doctor`: checks that every required part is present.
struct DoctorCommand: Command {
  static let name = "doctor"
  static let abstract = "Check that every required part is present and whole, and how to fix it."
  static let usage = "[--device DEVICE] [--format json]"
  static let discussion = """
    The networks' run time and weights are searched in KINEMA_HOME, beside the executable
    (../lib/kinema, ../share/kinema), and in the folder .kinema of a checkout; OpenVINO's libraries
    first in KINEMA_OPENVINO. Models and rules that come with Kinema are read, so that a damaged file is
    found as well. Below the parts stand the devices that OpenVINO finds for the networks, with the one
    that --device, or the settings file, asks for, where the settings file is, and where compiled
    networks are kept. The exit status is 0 if everything that is needed is whole and 69 if not.
    """
  static let examples = """
    kinema doctor
        Show the parts.
    kinema doctor --device GPU
        Check whether the networks can run on Intel's graphics.
    kinema doctor --format json
        The same for a script.
    """
  @Option("DEVICE", NetworkDevice.help)
  var device = NetworkDevice.cpu
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table

  struct Part: Encodable {
    let name: String
    let purpose: String
    var version: String?
    /// Where it is; of what is not found, the file that is damaged.
    var path: String?
    var isFound = true
    /// Whether Kinema works without it.
    var isOptional = false
    /// Of devices: the maker's name, and whether it is the one that is used.
    var fullName: String?
    var isUsed: Bool?
    var remedy: String?

    fileprivate var state: String {
      if isFound { return "found" }
      return path != nil ? "damaged" : isOptional ? "absent" : "missing"
    }
  }

  func run() async throws {
    let runtime = VisionRuntime.located()
    let parts = Self.libraries() + Self.parts(of: runtime) + Self.resources()
    let devices = Self.devices(of: runtime, asked: device)
    switch format {
    case .table:
      let settings = Settings.url().path
      let state = FileManager.default.fileExists(atPath: settings) ? "" : " (not there)"
      StandardStreams.print(
        Self.table(of: parts) + "\nDevices for the networks (--device):\n"
          + Self.table(ofDevices: devices) + "\nSettings: \(settings)\(state)\n"
          + "Compiled networks: \(Self.networks(of: runtime))\n")
    case .json: StandardStreams.print(try (parts + devices).jsonText())
    }
    let missing = parts.filter { !$0.isFound && !$0.isOptional }.map(\.name)
    guard missing.isEmpty else {
      throw CommandFailure(
        .unavailable,
        "Missing or damaged: \(missing.joined(separator: ", ")); see the remedies above.")
    }
  }

  /// Where networks are kept once they are compiled, which makes the next start shorter.
  private static func networks(of runtime: VisionRuntime) -> String {
    guard runtime.networkCache != nil else { return "not kept, since a part is missing" }
    let folder = runtime.networkFolder
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return FileManager.default.isWritableFile(atPath: folder.path)
      ? folder.path
      : "not kept, since \(folder.path) cannot be written; XDG_CACHE_HOME names another folder"
  }

  /// The linked libraries, which are present if the tool runs.
  private static func libraries() -> [Part] {
    let systemFont = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
    let fontPath =
      InstalledResource("fonts/DejaVuSans.ttf").located()?.path
      ?? (FileManager.default.fileExists(atPath: systemFont) ? systemFont : nil)
    let encoder = VideoWriter.encoderName
    return [
      Part(
        name: "FFmpeg", purpose: "reads and writes video", version: VideoReader.libraryVersion),
      Part(
        name: encoder == "libopenh264" ? "OpenH264" : "x264", purpose: "encodes annotated video",
        isFound: encoder != nil,
        remedy: encoder == nil ? "install an FFmpeg that has libx264 (Debian: libavcodec59)" : nil),
      Part(name: "oneDNN", purpose: "runs classifiers", version: Network.libraryVersion),
      Part(name: "Cairo", purpose: "draws on video", version: Overlay.libraryVersion),
      Part(
        name: "libzip", purpose: "writes poses for NumPy", version: PoseSequence.libraryVersion),
      Part(
        name: "libheif", purpose: "reads HEIC pictures", version: HEICLibrary.shared?.version,
        path: HEICLibrary.shared?.path, isFound: HEICLibrary.shared != nil, isOptional: true,
        remedy: HEICLibrary.shared == nil
          ? "for HEIC, install the package libheif1" : nil),
      Part(name: "libwebp", purpose: "reads animated WebP", version: VideoReader.webPVersion),
      Part(
        name: "DejaVu Sans", purpose: "writes on video", path: fontPath,
        isFound: fontPath != nil,
        remedy: fontPath == nil ? "install the package fonts-dejavu-core" : nil),
    ]
  }

  private static func parts(of runtime: VisionRuntime) -> [Part] {
    runtime.parts.map { part in
      Part(
        name: part.name, purpose: purpose(ofPart: part.name), version: part.version,
        path: part.url?.path,
        isFound: part.url != nil, remedy: part.remedy)
    }
  }

  private static func purpose(ofPart name: String) -> String {
    guard name.hasSuffix(".tflite") else { return "runs the networks" }
    return name.hasPrefix("pose_") ? "detects people" : "detects hands"
  }

  private static func table(of parts: [Part]) -> String {
    var table = TextTable([
      ("", .left), ("part", .left), ("version", .left), ("for", .left), ("where", .left),
    ])
    for part in parts {
      table.add([
        part.state, part.name, part.version ?? "", part.purpose,
        part.isFound ? part.path ?? "linked" : part.remedy ?? "",
      ])
    }
    return table.text
  }
}
