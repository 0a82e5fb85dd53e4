import KinemaSynth

/// Noise as a camera's sensor makes it: a strip of random numbers, read from a new place for each
/// row of each picture.
struct FilmGrain: Sendable {
  private let strip: [Float]

  /// - Parameter deviation: The standard deviation in steps of 8-bit colour.
  init(deviation: Float, using generator: inout SeededGenerator) {
    strip = (0..<Self.length).map { _ in generator.normal() * deviation }
  }

  private static let length = 1 << 16

  /// As many numbers as a row has pixels, at most 32,768.
  func row(_ row: Int, time: Double, width: Int) -> ArraySlice<Float> {
    precondition(width <= Self.length / 2, "The picture is too wide.")
    var generator = SeededGenerator(seed: time.bitPattern &+ UInt64(row) &* 0x1F12_3BB5)
    let start = Int(generator.next() % UInt64(Self.length / 2))
    return strip[start..<(start + width)]
  }
}
