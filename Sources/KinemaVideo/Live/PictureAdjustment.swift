import Foundation

/// How the pictures of a live source are turned, mirrored and calmed before anybody looks at them.
public struct PictureAdjustment: Hashable, Sendable {
  /// How far they are turned clockwise, to the nearest right angle, after what the source itself asks
  /// for.
  public var clockwiseDegrees: Int
  /// Whether left and right are exchanged, as in a mirror, after the pictures were turned.
  public var isMirrored: Bool
  /// Whether the shaking of a camera that is held in the hand is taken out.
  ///
  /// Each picture is shifted to where a calm hand would have held the camera; none is held back. What
  /// comes in at the rim repeats its pixels.
  public var isStabilized: Bool

  /// Describes an adjustment; by default pictures stay as they are.
  public init(clockwiseDegrees: Int = 0, isMirrored: Bool = false, isStabilized: Bool = false) {
    self.clockwiseDegrees = clockwiseDegrees
    self.isMirrored = isMirrored
    self.isStabilized = isStabilized
  }

  var orientation: Orientation {
    let turned = Orientation(clockwiseDegrees: Double(clockwiseDegrees))
    return isMirrored ? turned.mirrored : turned
  }
}

extension LiveSource {
  /// The same source with its pictures adjusted; itself where nothing is to be done.
  public func adjusted(by adjustment: PictureAdjustment) -> LiveSource {
    guard adjustment != PictureAdjustment() else { return self }
    if case .camera(var configuration) = self, configuration.adjustment == PictureAdjustment() {
      configuration.adjustment = adjustment
      return .camera(configuration)
    }
    return .adjusted(self, adjustment)
  }
}

/// The pictures of another stream, adjusted.
struct AdjustedFrameStream: LiveFrameStream {
  private var stream: any LiveFrameStream
  private let orientation: Orientation
  private var stabilizer: FrameStabilizer?
  private let pool = PixelBufferPool(capacity: 6)

  init(_ stream: any LiveFrameStream, by adjustment: PictureAdjustment) {
    self.stream = stream
    orientation = adjustment.orientation
    stabilizer = adjustment.isStabilized ? FrameStabilizer() : nil
  }

  var isPaced: Bool { stream.isPaced }
  var hasEnd: Bool { stream.hasEnd }

  mutating func next() throws -> (frame: Frame, stamp: TimeInterval?)? {
    guard let (frame, stamp) = try stream.next() else { return nil }
    let upright = frame.turned(by: orientation, pool: pool)
    return (stabilizer?.stabilized(upright) ?? upright, stamp)
  }
}

extension Frame {
  /// The picture turned and mirrored.
  fileprivate func turned(by orientation: Orientation, pool: PixelBufferPool) -> Frame {
    guard orientation != .upright else { return self }
    let buffer = PixelBuffer(byteCount: width * height * 4, pool: pool)
    withUnsafeBytes { bytes in
      guard let source = bytes.assumingMemoryBound(to: UInt32.self).baseAddress,
        let target = buffer.bytes.bindMemory(to: UInt32.self).baseAddress
      else { return }
      orientation.copy(source, width: width, height: height, rowLength: width, to: target)
    }
    return orientation.swapsSides
      ? Frame(width: height, height: width, buffer: buffer)
      : Frame(width: width, height: height, buffer: buffer)
  }
}
