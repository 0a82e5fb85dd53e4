import Kinema

extension PictureAdjustment {
  static let options = """
    --rotate D  Rotate a source's frames clockwise by 90, 180 or 270 degrees.
    --mirror  Mirror a source's frames left to right.
    --stabilize  Compensate the shake of a hand-held camera.
    """

  /// The adjustment of the options; throws ``UsageError`` for other than right angles.
  init(_ arguments: Arguments) throws {
    let degrees = try arguments.integer("rotate", within: 0...360) ?? 0
    guard degrees.isMultiple(of: 90) else {
      throw UsageError("--rotate takes 90, 180 or 270 degrees, not \(degrees).")
    }
    self.init(
      clockwiseDegrees: degrees, isMirrored: arguments.has("mirror"),
      isStabilized: arguments.has("stabilize"))
  }
}
