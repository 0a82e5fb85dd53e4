import KinemaPose

/// Converts pose coordinates to pixels; the one place where y is flipped.
struct PoseProjection {
  let width: Double
  let height: Double

  init(width: Int, height: Int) {
    self.width = Double(width)
    self.height = Double(height)
  }

  /// A joint in pixels; `nil` far outside the frame, where Cairo's fixed-point numbers would
  /// overflow.
  func pixel(of joint: JointPoint) -> PixelPoint? {
    let fromCenter = joint.position - SIMD2(0.5, 0.5)
    guard abs(fromCenter.x) <= 2, abs(fromCenter.y) <= 2 else { return nil }
    return PixelPoint(
      x: Double(joint.position.x) * width, y: (1 - Double(joint.position.y)) * height)
  }
}
