import Kinema

struct PictureOptions: OptionGroup {
  @Option("D", "Rotate a source's frames clockwise by 90, 180 or 270 degrees.")
  var rotate: RightAngle?
  @Flag("Mirror a source's frames left to right.")
  var mirror: Bool
  @Flag("Compensate the shake of a hand-held camera.")
  var stabilize: Bool

  var adjustment: PictureAdjustment {
    PictureAdjustment(
      clockwiseDegrees: rotate?.degrees ?? 0, isMirrored: mirror, isStabilized: stabilize)
  }
}

struct RightAngle: OptionValue {
  let degrees: Int
  static var kind: OptionKind { .integer }
  static func value(of text: String, within limits: ClosedRange<Int>?) -> RightAngle? {
    Int(text).flatMap { [0, 90, 180, 270, 360].contains($0) ? RightAngle(degrees: $0) : nil }
  }
  static func expectation(within limits: ClosedRange<Int>?) -> String { "90, 180 or 270 degrees" }
}
