import CFFmpeg
import KinemaFiles

/// The shape of a video's pixels: width divided by height, 1 for square ones.
///
/// Anamorphic video (DV, DVD, HDV with 1440 × 1080) stores pixels that are not square. Its frames get
/// square ones before anything is measured in them: the shorter side is stretched, so that no detail
/// is lost.
struct PixelShape: Equatable {
  static let square = PixelShape(ratio: 1)
  /// Shapes of real video lie between 0.5 (fields of a picture) and 2.7 (anamorphic film); beyond this
  /// factor the shape is taken for a mistake.
  private static let largestRatio = 4.0
  /// The difference from 1 that is none.
  ///
  /// Rounded sizes give shapes such as 1280:1281. One within a hundredth of a square turns no limb by
  /// over 0.3°, and is not worth scaling.
  private static let tolerance = 0.01

  let ratio: Double

  private init(ratio: Double) { self.ratio = ratio }

  /// - Parameter aspect: Width to height, FFmpeg's `sample_aspect_ratio`; 0:1 where it is unknown.
  init(_ aspect: AVRational) {
    let ratio = aspect.den > 0 ? Double(aspect.num) / Double(aspect.den) : 1
    let isPlausible = ratio >= 1 / Self.largestRatio && ratio <= Self.largestRatio
    self.ratio = isPlausible && abs(ratio - 1) >= Self.tolerance ? ratio : 1
  }

  /// The shape in a track, or in one of its pictures; the container's goes before the codec's.
  init(
    of stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>,
    picture: UnsafeMutablePointer<AVFrame>? = nil
  ) {
    self.init(av_guess_sample_aspect_ratio(context, stream, picture))
  }

  /// The size in square pixels of a picture that is stored in `width` by `height` pixels.
  ///
  /// - Parameter limit: The longest side; where stretching exceeds it, the other side shrinks.
  func displaySize(width: Int, height: Int, limit: Int) -> (width: Int, height: Int) {
    func scaled(_ side: Int, by factor: Double) -> Int {
      max(1, Int(saturating: Double(side) * factor))
    }
    if ratio > 1 {
      let stretched = scaled(width, by: ratio)
      return stretched <= limit ? (stretched, height) : (width, scaled(height, by: 1 / ratio))
    }
    if ratio < 1 {
      let stretched = scaled(height, by: 1 / ratio)
      return stretched <= limit ? (width, stretched) : (scaled(width, by: ratio), height)
    }
    return (width, height)
  }
}
