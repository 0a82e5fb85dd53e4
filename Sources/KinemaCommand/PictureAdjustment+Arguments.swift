import Kinema

extension PictureAdjustment {
  /// The options that say how the pictures of live sources are adjusted.
  static let options = [
    Option("rotate", value: "D", "Turn a source's pictures clockwise by 90, 180 or 270 degrees."),
    Option("mirror", "Exchange left and right of a source's pictures."),
    Option("stabilize", "Take the shaking of a hand-held camera out of a source's pictures."),
  ]

  /// The adjustment that the options ask for.
  ///
  /// - Throws: ``UsageError`` for other than right angles.
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
