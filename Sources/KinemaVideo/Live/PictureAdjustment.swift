import Foundation

/// Rotation, mirroring and stabilisation of a live source's frames.
public struct PictureAdjustment: Hashable, Sendable {
  /// Clockwise rotation to the nearest right angle, in addition to the source's own.
  public var clockwiseDegrees: Int
  /// Whether frames are mirrored left to right, after rotation.
  public var isMirrored: Bool
  /// Whether shake of a hand-held camera is compensated by shifting frames, without delay.
  public var isStabilized: Bool
  /// The areas that are black, in the picture after the rest.
  package var masks: [PicturePolygon] = []

  /// Creates an adjustment; by default none.
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
  /// The source with its frames adjusted; itself for no adjustment.
  public func adjusted(by adjustment: PictureAdjustment) -> LiveSource {
    guard adjustment != PictureAdjustment() else { return self }
    if case .camera(var configuration) = self, adjustment.masks.isEmpty,
      configuration.adjustment == PictureAdjustment()
    {
      configuration.adjustment = adjustment
      return .camera(configuration)
    }
    return .adjusted(self, adjustment)
  }
}

extension PictureAdjustment {
  /// A gate that chooses pictures by what is left of them after the adjustment.
  func adjusting(_ gate: (any PictureGate)?) -> (any PictureGate)? {
    gate.map { AdjustedPictureGate($0, orientation: orientation, masks: masks) }
  }
}

/// Shows pictures to a gate turned and masked.
private final class AdjustedPictureGate: PictureGate {
  private let gate: any PictureGate
  private let orientation: Orientation
  private let masks: [PicturePolygon]

  init(_ gate: any PictureGate, orientation: Orientation, masks: [PicturePolygon]) {
    (self.gate, self.orientation, self.masks) = (gate, orientation, masks)
  }

  var wantsFewPictures: Bool { gate.wantsFewPictures }
  var mayBeRough: Bool { gate.mayBeRough }
  var nextTime: Double { gate.nextTime }

  func mayWant(at time: Double) -> Bool { gate.mayWant(at: time) }

  func wants(at time: Double, grid: () -> LumaGrid?) -> Bool {
    gate.wants(at: time) { grid()?.turned(by: orientation).masked(by: masks) }
  }

  func addReading(seconds: Double) { gate.addReading(seconds: seconds) }
}

struct AdjustedFrameStream: LiveFrameStream {
  private var stream: any LiveFrameStream
  private let orientation: Orientation
  private var stabilizer: FrameStabilizer?
  private let masks: [PicturePolygon]
  private let pool = PixelBufferPool(capacity: 6)

  init(_ stream: any LiveFrameStream, by adjustment: PictureAdjustment) {
    self.stream = stream
    orientation = adjustment.orientation
    stabilizer = adjustment.isStabilized ? FrameStabilizer() : nil
    masks = adjustment.masks
  }

  var isPaced: Bool { stream.isPaced }
  var hasEnd: Bool { stream.hasEnd }

  mutating func next() throws -> (frame: Frame, stamp: TimeInterval?)? {
    guard let (frame, stamp) = try stream.next() else { return nil }
    let upright = frame.turned(by: orientation, pool: pool)
    let steady = stabilizer?.stabilized(upright) ?? upright
    return (steady.masked(by: masks), stamp)
  }
}

extension Frame {
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
