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

  /// Describes a camera; by default the first one, with 640 × 480 pixels 30 times a second.
  public init(
    device: String = "/dev/video0", frameRate: Double = 30, width: Int = 640, height: Int = 480,
    pixelFormat: String? = nil, isMirrored: Bool = false, clockwiseDegrees: Int = 0
  ) {
    self.device = device
    self.frameRate = frameRate
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.isMirrored = isMirrored
    self.clockwiseDegrees = clockwiseDegrees
  }
}

extension VideoReader {
  /// The camera's configuration, under the name that programs know it by.
  public typealias CameraConfiguration = KinemaVideo.CameraConfiguration
}

extension CameraConfiguration {
  /// How the pictures must be turned to be as asked for.
  var orientation: Orientation {
    let turned = Orientation(clockwiseDegrees: Double(clockwiseDegrees))
    return isMirrored ? turned.mirrored : turned
  }
}
