/// A camera and its requested format.
public struct CameraConfiguration: Hashable, Sendable {
  /// The camera's device, such as `/dev/video0`.
  public var device: String
  /// The requested frame rate; cameras deliver less in the dark.
  public var frameRate: Double
  /// The requested width in pixels; the camera uses its nearest size.
  public var width: Int
  /// The requested height in pixels.
  public var height: Int
  /// The requested pixel format by FFmpeg's name (`mjpeg`, `yuyv422`, …); `nil` for the driver's
  /// choice.
  public var pixelFormat: String?
  /// Whether frames are mirrored left to right, after rotation.
  public var isMirrored: Bool
  /// Clockwise rotation of frames, to the nearest right angle.
  public var clockwiseDegrees: Int
  /// Whether shake is compensated; see ``PictureAdjustment/isStabilized``.
  public var isStabilized: Bool

  /// Creates a configuration; by default the first camera, 640 × 480 pixels at 30 fps.
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
  /// The direction of a camera.
  public enum Position: String, Hashable, Codable, Sendable, CaseIterable {
    /// Towards the user.
    case front
    /// Away from the user.
    case back
  }

  /// The frame size.
  public enum Resolution: String, Hashable, Codable, Sendable, CaseIterable {
    /// 320 × 240 pixels.
    case low
    /// 640 × 480 pixels, sufficient for the networks.
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

  /// Creates a configuration for a camera by direction.
  ///
  /// A camera whose name contains rear, back or world points away, others to the user; without a
  /// match, the first one is used. Front cameras are mirrored.
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
  /// The camera's configuration.
  public typealias CameraConfiguration = KinemaVideo.CameraConfiguration
}

extension CameraConfiguration {
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
