/// Decides who is tracked where there are more people than places.
package enum ProminentPlaces {
  /// The track that gives its place to a newcomer: the least prominent one, if the newcomer is
  /// plainly more prominent, so that two people of like size do not alternate.
  ///
  /// - Parameters:
  ///   - newcomer: The prominence: area in the frame times confidence.
  ///   - tracks: The prominence of each track.
  ///   - ratio: How many times as prominent the newcomer must be.
  /// - Returns: The index of the track; `nil` if all stay.
  package static func replaced(
    by newcomer: Float, among tracks: [Float], ratio: Float
  ) -> Int? {
    guard let least = tracks.indices.min(by: { tracks[$0] < tracks[$1] }) else { return nil }
    return newcomer > tracks[least] * ratio ? least : nil
  }
}

extension Detection {
  /// The area of the box in square pixels, within a frame.
  package func area(width: Int, height: Int) -> Float {
    let frame = SIMD2(Float(width), Float(height))
    let extent =
      box.high.clamped(lowerBound: .zero, upperBound: frame)
      - box.low.clamped(lowerBound: .zero, upperBound: frame)
    return extent.x * extent.y
  }
}
