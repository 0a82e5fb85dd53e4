/// Which camera is opened, and what is asked of it.
public struct CameraConfiguration: Hashable, Sendable {
  /// The camera's file, such as `/dev/video0`.
  public var device: String
  /// How many pictures a second are asked for; cameras give less in the dark.
  public var frameRate: Double
  /// The width that is asked for in pixels; the camera takes the nearest size that it has.
  public var width: Int
  /// The height that is asked for in pixels.
  public var height: Int
  /// How the camera is to send its pictures, by FFmpeg's name (`mjpeg`, `yuyv422`, …); `nil` leaves
  /// the choice to the driver.
  public var pixelFormat: String?
  /// Whether left and right are exchanged, as in a mirror, after the pictures were turned.
  public var isMirrored: Bool
  /// How far the pictures are turned clockwise, to the nearest right angle.
  public var clockwiseDegrees: Int
  /// Whether the shaking of a camera that is held in the hand is taken out; see
  /// ``PictureAdjustment/isStabilized``.
  public var isStabilized: Bool

  /// Describes a camera; by default the first one, with 640 × 480 pixels 30 times a second.
  public init(
    device: String = "/dev/video0", frameRate: Double = 30, width: Int = 640, height: Int = 480,
    pixelFormat: String? = nil, isMirrored: Bool = false, clockwiseDegrees: Int = 0,
    isStabilized: Bool = false
  ) {
    self.device = device
    self.frameRate = frameRate
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.isMirrored = isMirrored
    self.clockwiseDegrees = clockwiseDegrees
    self.isStabilized = isStabilized
  }
}

extension CameraConfiguration {
  /// Which way a camera looks.
  public enum Position: String, Hashable, Codable, Sendable, CaseIterable {
    /// At the person who uses the computer.
    case front
    /// Away from them.
    case back
  }

  /// How large the pictures are.
  public enum Resolution: String, Hashable, Codable, Sendable, CaseIterable {
    /// 320 × 240 pixels.
    case low
    /// 640 × 480 pixels: what the networks need.
    case medium
    /// 1280 × 720 pixels.
    case high
    /// 1920 × 1080 pixels.
    case full

    /// The width and height in pixels.
    public var size: (width: Int, height: Int) {
      switch self {
      case .low: (320, 240)
      case .medium: (640, 480)
      case .high: (1280, 720)
      case .full: (1920, 1080)
      }
    }
  }

  /// Describes the camera that looks one way.
  ///
  /// Computers do not say which way their cameras look; their names often do. A camera whose name says
  /// rear, back or world looks away, others at the person; where none looks the way asked for, it is
  /// the first one. Front cameras are mirrored, as people know it from video calls.
  ///
  /// - Parameters:
  ///   - position: Which way the camera looks.
  ///   - resolution: How large the pictures are; the camera takes the nearest size that it has.
  ///   - frameRate: How many pictures a second are asked for.
  ///   - pixelFormat: How the camera is to send them; see ``pixelFormat``.
  ///   - cameras: The cameras to choose among; by default those of this computer.
  public init(
    position: Position, resolution: Resolution = .high, frameRate: Double = 30,
    pixelFormat: String? = nil, among cameras: [LiveCamera] = LiveSource.cameras()
  ) {
    let found = cameras.first { $0.position == position } ?? cameras.first
    self.init(
      device: found?.device ?? "/dev/video0", frameRate: frameRate,
      width: resolution.size.width, height: resolution.size.height, pixelFormat: pixelFormat,
      isMirrored: position == .front)
  }
}

extension VideoReader {
  /// The camera's configuration, under the name that programs know it by.
  public typealias CameraConfiguration = KinemaVideo.CameraConfiguration
}

extension CameraConfiguration {
  /// How the pictures are adjusted.
  var adjustment: PictureAdjustment {
    get {
      PictureAdjustment(
        clockwiseDegrees: clockwiseDegrees, isMirrored: isMirrored, isStabilized: isStabilized)
    }
    set {
      clockwiseDegrees = newValue.clockwiseDegrees
      isMirrored = newValue.isMirrored
      isStabilized = newValue.isStabilized
    }
  }
}
