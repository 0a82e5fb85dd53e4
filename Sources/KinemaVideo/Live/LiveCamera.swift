import CFFmpeg
import Foundation
import Glibc

/// A camera of this computer.
public struct LiveCamera: Hashable, Sendable {
  /// Its device, such as `/dev/video0`.
  public let device: String
  /// Its name for users.
  public let name: String

  /// Creates a camera.
  public init(device: String, name: String) {
    self.device = device
    self.name = name
  }

  /// Its direction, inferred from the name.
  var position: CameraConfiguration.Position {
    let words = name.lowercased().split { !$0.isLetter }
    let isBack = words.contains { ["rear", "back", "world"].contains($0) }
    return isBack ? .back : .front
  }
}

extension LiveSource {
  /// The cameras of this computer, by number, without devices that do not capture video.
  public static func cameras() -> [LiveCamera] {
    // Without devices there are no cameras, and one without a name is called by its file.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
    let numbers = names.compactMap { name in
      name.hasPrefix("video") ? Int(name.dropFirst("video".count)) : nil
    }
    return numbers.sorted().map { "/dev/video\($0)" }.filter(takesPictures).map { device in
      LiveCamera(device: device, name: cameraName(device: device))
    }
  }

  static func cameraName(device: String) -> String {
    let file = URL(filePath: device).lastPathComponent
    let entry = "/sys/class/video4linux/\(file)/name"
    let name = (try? String(contentsOfFile: entry, encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return name.flatMap { $0.isEmpty ? nil : $0 } ?? device
  }

  /// Whether a device captures video; assumed if it cannot be opened.
  private static func takesPictures(_ device: String) -> Bool {
    let file = Glibc.open(device, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return errno == EACCES || errno == EBUSY }
    defer { close(file) }
    var capability = v4l2_capability()
    guard ioctl(file, UInt(kinema_VIDIOC_QUERYCAP), &capability) == 0 else { return false }
    let own = UInt32(V4L2_CAP_DEVICE_CAPS)
    let flags =
      capability.capabilities & own != 0 ? capability.device_caps : capability.capabilities
    return flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0
  }
}
