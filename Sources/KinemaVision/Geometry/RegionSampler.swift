import CSampling
import Foundation
import KinemaVideo

/// Samples a region of a frame bilinearly into a network's input.
///
/// Positions are rounded to 1/32 pixel and samples to 8 bits, as in OpenCV's warp, which MediaPipe
/// uses.
struct RegionSampler {
  /// The values outside the frame.
  enum Border {
    case black
    case nearest
  }

  /// The side of the network's input in pixels.
  let side: Int
  let border: Border
  /// The network's values of black and full brightness.
  private let range: ClosedRange<Float>
  /// The start of each row and the offset of each column, in the frame.
  private var rows: (x: [Int64], y: [Int64])
  private var columns: (x: [Int64], y: [Int64])

  /// Creates a sampler.
  ///
  /// - Parameters:
  ///   - border: The values outside the frame.
  ///   - range: The network's values of black and full brightness.
  init(side: Int, border: Border, range: ClosedRange<Float>) {
    self.side = side
    self.border = border
    self.range = range
    rows = (Array(repeating: 0, count: side), Array(repeating: 0, count: side))
    columns = rows
  }

  /// Writes `side` × `side` pixels of red, green and blue.
  mutating func sample(
    _ region: Region, of frame: Frame, into output: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(output.count == side * side * 3, "The network's input has another size.")
    guard frame.width > 1, frame.height > 1 else {
      output.update(repeating: range.lowerBound)
      return
    }
    let across = SIMD2(cos(region.angle), sin(region.angle)) * (region.size / Float(side))
    let down = SIMD2(-across.y, across.x)
    let origin = region.imagePoint(of: .zero)
    for index in 0..<side {
      (columns.x[index], columns.y[index]) = Self.fixedPoint(across * Float(index))
      (rows.x[index], rows.y[index]) = Self.fixedPoint(origin + down * Float(index))
    }
    frame.withUnsafeBytes { bytes in
      guard let pixels = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      rows.x.withUnsafeBufferPointer { rowX in
        rows.y.withUnsafeBufferPointer { rowY in
          columns.x.withUnsafeBufferPointer { columnX in
            columns.y.withUnsafeBufferPointer { columnY in
              var sampling = kinema_sampling(
                pixels: pixels, width: Int64(frame.width), height: Int64(frame.height),
                outside_is_black: border == .black ? 1 : 0, side: Int64(side),
                row_x: rowX.baseAddress, row_y: rowY.baseAddress, column_x: columnX.baseAddress,
                column_y: columnY.baseAddress, black: range.lowerBound,
                step: (range.upperBound - range.lowerBound) / 255)
              kinema_sample(&sampling, output.baseAddress)
            }
          }
        }
      }
    }
  }

  // Positions have 10 fractional bits, of which the upper 5 are used.
  private static let fixedOne: Float = 1024
  /// Far outside any frame.
  private static let farthest: Float = 0x1p40

  private static func fixedPoint(_ place: SIMD2<Float>) -> (x: Int64, y: Int64) {
    let scaled = (place * fixedOne).clamped(
      lowerBound: SIMD2(repeating: -farthest), upperBound: SIMD2(repeating: farthest)
    ).rounded(.toNearestOrEven)
    return (Int64(scaled.x), Int64(scaled.y))
  }
}
