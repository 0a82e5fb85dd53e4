public import KinemaPose
public import KinemaVideo
import Synchronization

/// Draws people's wireframes and a caption on frames.
///
/// Everybody is drawn: the prominent person in full colour and thick lines, the others paler.
/// An overlay may be used from several threads at once. It remembers the last caption it has
/// drawn, so keep one for a whole video.
public final class Overlay: Sendable {
  /// How it looks.
  public let style: OverlayStyle
  private let lastPanel = Mutex<CaptionPanel?>(nil)

  /// Creates an overlay.
  public init(style: OverlayStyle = .standard) {
    self.style = style
  }

  /// Draws poses and a caption on a frame.
  ///
  /// Hands are all drawn as the prominent person is. Nothing is drawn on a frame with a side over 32,767 pixels. Joints that are not sure enough,
  /// not finite or far outside the picture are left out.
  ///
  /// - Parameters:
  ///   - poses: The people, in normalised coordinates, origin at the lower left.
  ///   - prominent: The index in `poses` of the person to highlight, drawn on top.
  ///   - caption: What stands at the foot of the picture.
  ///   - frame: The picture to draw on.
  public func draw(
    _ poses: [Pose], prominent: Int? = nil, caption: Caption? = nil, on frame: inout Frame
  ) {
    let (width, height) = (frame.width, frame.height)
    let panel = caption.flatMap { self.panel(for: $0, width: width, height: height) }
    let painter = WireframePainter(
      style: style, projection: PoseProjection(width: width, height: height),
      drawsCorners: style.showsCorners && poses.count { $0.wireframe == .body } > 1)
    frame.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) -> Void in
      guard let canvas = Canvas(drawingInto: bytes, width: width, height: height, .opaque)
      else { return }
      for (index, pose) in poses.enumerated() where index != prominent {
        painter.draw(pose, highlighted: pose.wireframe == .hand, on: canvas)
      }
      if let prominent, poses.indices.contains(prominent) {
        painter.draw(poses[prominent], highlighted: true, on: canvas)
      }
      panel?.draw(on: canvas)
    }
  }

  private func panel(for caption: Caption, width: Int, height: Int) -> CaptionPanel? {
    let remembered = lastPanel.withLock { $0 }
    if let remembered,
      remembered.caption == caption, remembered.frameSize == SIMD2(width, height)
    {
      return remembered
    }
    let panel = CaptionPanel(
      caption, frameWidth: width, frameHeight: height, fontFamily: style.fontFamily)
    lastPanel.withLock { $0 = panel }
    return panel
  }
}
