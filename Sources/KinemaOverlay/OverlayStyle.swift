/// The appearance of an ``Overlay``.
public struct OverlayStyle: Hashable, Sendable {
  /// Joints below this confidence, from 0 to 1, are not drawn.
  public var confidenceThreshold: Float
  /// Thickness of limbs relative to the default, from 0.1 to 10.
  public var lineScale: Double
  /// Whether corners frame the prominent one of several people.
  public var showsCorners: Bool
  /// The caption's font family.
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

  /// The default style.
  public static let standard = OverlayStyle()
}
