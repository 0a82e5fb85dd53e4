import KinemaSynth

/// Finds where rays from the camera first meet a solid, eight rays of a row at a time.
///
/// The solid is the union of balls with centre c(s) = a + s·b and radius r(s), s from 0 to 1. A ray
/// t·d meets the ball of s first at t(s) = (c·d − √D(s)) / d·d, where D(s) = (c·d)² − d·d (c·c − r²)
/// is a quadratic in s. Where D opens downwards t is convex, so that its stationary point, which is
/// the root of a quadratic, brought into 0…1, gives the first ball that is met. Otherwise the ray
/// runs along the axis and sees nothing but the end balls.
struct SolidCaster {
  typealias Lanes = SIMD8<Float>
  static let lanes = Lanes(0, 1, 2, 3, 4, 5, 6, 7)

  struct Hit {
    var isHit: SIMDMask<SIMD8<Int32>>
    var depth: Lanes
    var normalX, normalY, normalZ: Lanes
  }

  private let start, along, flatAxis: Vector
  /// What squeezing space along the flat axis, so that the solid is round, adds to that part.
  private let squeeze: Float
  private let startSquare, startAlong, alongSquare: Float

  /// Takes a solid in the camera's axes.
  init(_ solid: Solid) {
    flatAxis = solid.flatAxis
    let squeeze = 1 / solid.flatness - 1
    self.squeeze = squeeze
    func squeezed(_ vector: Vector) -> Vector {
      vector + solid.flatAxis * (squeeze * vector.dot(solid.flatAxis))
    }
    start = squeezed(solid.start)
    along = squeezed(solid.end) - start
    let narrowing = solid.startRadius - solid.endRadius
    startSquare = start.dot(start) - solid.startRadius * solid.startRadius
    startAlong = start.dot(along) + solid.startRadius * narrowing
    // A point would divide by zero; a hair's breadth is as good.
    alongSquare = along.dot(along) - narrowing * narrowing + 1e-10
  }

  /// Casts the rays (x, y, 1).
  func cast(x: Lanes, y: Float) -> Hit {
    let flat = (x * flatAxis.x + (y * flatAxis.y + flatAxis.z)) * squeeze
    let rayX = x + flat * flatAxis.x
    let rayY = flat * flatAxis.y + y
    let rayZ = flat * flatAxis.z + 1
    let raySquare = rayX * rayX + rayY * rayY + rayZ * rayZ
    let toStart = rayX * start.x + rayY * start.y + rayZ * start.z
    let toAlong = rayX * along.x + rayY * along.y + rayZ * along.z

    // D(s) = square·s² + 2·linear·s + constant.
    let square = toAlong * toAlong - raySquare * alongSquare
    let linear = toStart * toAlong - raySquare * startAlong
    let constant = toStart * toStart - raySquare * startSquare

    let isWide = square .< 0
    let middle = -linear / square
    let best = constant + linear * middle
    let stationary =
      middle - toAlong * (best / (square * (square - toAlong * toAlong))).squareRoot()
    let startIsMet = constant .>= 0
    let endIsMet = square + 2 * linear + constant .>= 0
    let startIsNearer = toAlong .>= 0
    let endBall = Lanes.one.replacing(
      with: 0, where: (startIsNearer .& startIsMet) .| (.!startIsNearer .& .!endIsMet))
    let share = endBall.replacing(with: stationary, where: isWide)
      .clamped(lowerBound: .zero, upperBound: .one)

    let discriminant = (square * share + 2 * linear) * share + constant
    let isHit = (discriminant .>= 0) .& (.!isWide .| (best .>= 0))
    let root = discriminant.replacing(with: 0, where: discriminant .< 0).squareRoot()
    let depth = (toStart + toAlong * share - root) / raySquare

    let normalX = rayX * depth - (start.x + share * along.x)
    let normalY = rayY * depth - (start.y + share * along.y)
    let normalZ = rayZ * depth - (start.z + share * along.z)
    let across =
      (normalX * flatAxis.x + normalY * flatAxis.y + normalZ * flatAxis.z) * squeeze
    return Hit(
      isHit: isHit .& (depth .> 0), depth: depth, normalX: normalX + across * flatAxis.x,
      normalY: normalY + across * flatAxis.y, normalZ: normalZ + across * flatAxis.z)
  }
}
