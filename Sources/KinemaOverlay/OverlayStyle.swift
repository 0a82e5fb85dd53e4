/// How an ``Overlay`` looks.
public struct OverlayStyle: Hashable, Sendable {
  /// Joints below this confidence, from 0 to 1, are not drawn.
  public var confidenceThreshold: Float
  /// The thickness of limbs, as a multiple of the usual, from 0.1 to 10.
  public var lineScale: Double
  /// Whether the prominent one of several people gets a frame of four corners.
  public var showsCorners: Bool
  /// The family of fonts for the caption.
  public var fontFamily: String

  /// Creates a style.
  public init(
    confidenceThreshold: Float = 0.2, lineScale: Double = 1, showsCorners: Bool = true,
    fontFamily: String = "DejaVu Sans"
  ) {
    self.confidenceThreshold = confidenceThreshold
    self.lineScale = lineScale
    self.showsCorners = showsCorners
    self.fontFamily = fontFamily
  }

  /// The usual look.
  public static let standard = OverlayStyle()
}
