package import KinemaPose
package import KinemaVideo
import Synchronization

/// Draws wireframes and a caption on frames.
///
/// The prominent person is drawn in full colour and thick lines, others paler. Thread-safe; caches
/// the last caption, so use one overlay per video.
package final class Overlay: Sendable {
  private let fontFamily: String
  private let lastPanel = Mutex<CaptionPanel?>(nil)

  package init(fontFamily: String = "DejaVu Sans") { self.fontFamily = fontFamily }

  /// Draws poses and a caption on a frame; frames with a side over 32,767 pixels stay unchanged.
  ///
  /// Hands are drawn like the prominent person. Joints below the confidence threshold, not finite
  /// or far outside the frame are left out.
  ///
  /// - Parameters:
  ///   - poses: The people.
  ///   - prominent: The index in `poses` of the person to highlight.
  ///   - caption: The text at the foot of the frame.
  ///   - labels: The text above each of the poses, in their order; may be empty.
  ///   - frame: The frame to draw on.
  package func draw(
    _ poses: [Pose], prominent: Int? = nil, caption: Caption? = nil, labels: [String] = [],
    on frame: inout Frame
  ) {
    let (width, height) = (frame.width, frame.height)
    let panel = caption.flatMap { self.panel(for: $0, width: width, height: height) }
    let painter = WireframePainter(
      projection: PoseProjection(width: width, height: height),
      drawsCorners: poses.count { $0.wireframe == .body } > 1)
    frame.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) -> Void in
      guard let canvas = Canvas(drawingInto: bytes, width: width, height: height, .opaque)
      else { return }
      for (index, pose) in poses.enumerated() where index != prominent {
        painter.draw(pose, highlighted: pose.wireframe == .hand, on: canvas)
      }
      if let prominent, poses.indices.contains(prominent) {
        painter.draw(poses[prominent], highlighted: true, on: canvas)
      }
      for (pose, label) in zip(poses, labels) {
        painter.draw(label, above: pose, fontFamily: fontFamily, on: canvas)
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
      caption, frameWidth: width, frameHeight: height, fontFamily: fontFamily)
    lastPanel.withLock { $0 = panel }
    return panel
  }
}
