import KinemaSynth

/// A room: a floor of boards with a mat, a wall with a skirting board and a window or a picture.
struct Backdrop: Sendable {
  private let wall, floor, mat, frame: SIMD3<Float>
  private let boardWidth: Float
  private let framePlace: SIMD2<Float>
  private let frameSize: SIMD2<Float>
  private let hasMat: Bool
  private let matSize: SIMD2<Float>

  init(using generator: inout SeededGenerator) {
    let walls: [SIMD3<Float>] = [
      SIMD3(0.8, 0.78, 0.74), SIMD3(0.72, 0.76, 0.78), SIMD3(0.62, 0.66, 0.6),
      SIMD3(0.83, 0.79, 0.7), SIMD3(0.56, 0.6, 0.68),
    ]
    let floors: [SIMD3<Float>] = [
      SIMD3(0.55, 0.42, 0.3), SIMD3(0.4, 0.3, 0.22), SIMD3(0.6, 0.54, 0.46),
      SIMD3(0.45, 0.45, 0.47),
    ]
    wall = generator.pick(walls) * generator.uniform(0.85...1.1)
    floor = generator.pick(floors) * generator.uniform(0.85...1.15)
    boardWidth = generator.uniform(0.1...0.2)
    hasMat = generator.chance(0.5)
    mat = SIMD3(
      generator.uniform(0.15...0.5), generator.uniform(0.2...0.5), generator.uniform(0.25...0.55))
    matSize = SIMD2(generator.uniform(0.9...1.3), generator.uniform(0.5...0.8))
    frame = SIMD3(
      generator.uniform(0.3...0.95), generator.uniform(0.35...0.95),
      generator.uniform(0.4...0.98))
    let side: Float = generator.chance(0.5) ? 1 : -1
    framePlace = SIMD2(side * generator.uniform(1...1.9), generator.uniform(1.3...1.9))
    frameSize = SIMD2(generator.uniform(0.25...0.7), generator.uniform(0.3...0.6))
  }

  struct Place: Sendable {
    /// Where its furniture is centred, on the floor.
    let middle: Vector
    /// Away from the wall, and along it to the right; of length 1.
    let outwards, right: Vector
    /// From the middle to the wall, in metres.
    let depth: Float

    /// Puts the wall square to a camera.
    init(_ lens: Lens, _ middle: Vector, depth: Float) {
      self.middle = Vector(middle.x, 0, middle.z)
      outwards = Vector(lens.back.x, 0, lens.back.z).normalized
      right = lens.right
      self.depth = depth
    }
  }

  /// The empty room, row by row from the top.
  func colours(at room: Place, lens: Lens) -> [SIMD4<Float>] {
    let camera = lens.position - room.middle
    let cameraDepth = camera.dot(room.outwards)
    return (0..<lens.height).flatMap { row in
      (0..<lens.width).map { column in
        let ray = lens.worldRay(column: column, row: row)
        let toWall = (room.depth + cameraDepth) / max(-ray.dot(room.outwards), 1e-4)
        let toFloor = ray.y < 0 ? -camera.y / ray.y : .infinity
        let place = camera + ray * min(toWall, toFloor)
        let across = place.dot(room.right)
        let colour =
          toFloor < toWall
          ? floorColour(SIMD2(across, place.dot(room.outwards)), depth: room.depth)
          : wallColour(SIMD2(across, place.y))
        return SIMD4(colour, 0)
      }
    }
  }

  /// - Parameter place: To the right of the middle and towards the camera, in metres.
  private func floorColour(_ place: SIMD2<Float>, depth: Float) -> SIMD3<Float> {
    if hasMat, abs(place.x) < matSize.x, abs(place.y) < matSize.y { return mat }
    let board = (place.x / boardWidth).rounded(.down)
    let isGap = place.x - board * boardWidth < 0.006
    var shade = SeededGenerator(seed: UInt64(bitPattern: Int64(board)))
    let tint = isGap ? 0.7 : shade.uniform(0.9...1.05)
    return floor * tint * (0.86 + 0.05 * min(max(place.y + depth, 0), 4))
  }

  /// - Parameter place: To the right of the middle and above the floor, in metres.
  private func wallColour(_ place: SIMD2<Float>) -> SIMD3<Float> {
    if place.y < 0.09 { return wall * 0.6 + 0.3 }
    let away = pointwiseMax(place - framePlace, framePlace - place) - frameSize
    if away.max() < -0.04 { return frame * (0.8 + 0.2 * place.y / 2) }
    if away.max() < 0 { return SIMD3(repeating: 0.9) }
    return wall * (0.82 + 0.09 * min(place.y, 2.2))
  }
}
