import KinemaSynth

/// A part of a body: a capsule that tapers and may be flattened.
///
/// It is everything that a ball touches on its straight way from one place to another while its
/// radius changes evenly.
struct Solid: Sendable {
  var start: Vector
  var startRadius: Float
  var end: Vector
  var endRadius: Float
  var colour: SIMD3<Float>
  /// The direction in which it is thinner than it is wide, of length 1.
  var flatAxis = Vector(0, 0, 1)
  /// How thick it is along ``flatAxis``: 1 is round.
  var flatness: Float = 1

  static func limb(
    _ start: Vector, _ startRadius: Float, _ end: Vector, _ endRadius: Float,
    _ colour: SIMD3<Float>
  ) -> Solid {
    Solid(start: start, startRadius: startRadius, end: end, endRadius: endRadius, colour: colour)
  }

  static func ball(_ centre: Vector, _ radius: Float, _ colour: SIMD3<Float>) -> Solid {
    .limb(centre, radius, centre, radius, colour)
  }

  func flattened(along axis: Vector, to flatness: Float) -> Solid {
    var other = self
    other.flatAxis = axis
    other.flatness = flatness
    return other
  }

  /// The same in other axes: every place and direction goes through the functions.
  func mapped(place: (Vector) -> Vector, direction: (Vector) -> Vector) -> Solid {
    var other = self
    other.start = place(start)
    other.end = place(end)
    other.flatAxis = direction(flatAxis)
    return other
  }
}
