import KinemaSynth

/// Colours and depths of a frame being drawn.
struct RenderTarget {
  let lens: Lens
  /// Colours from 0 to 1 by rows from the top; the fourth lane is not used.
  var colours: [SIMD4<Float>]
  /// How far away what was drawn is, in metres.
  private(set) var depths: [Float]
  /// What solids were drawn on.
  private(set) var touched: PixelBox?
  private let light: Vector
  private let above: Vector

  /// Creates a target before a background; `light` points to where it comes from, of length 1.
  init(lens: Lens, background: [SIMD4<Float>], light: Vector) {
    self.lens = lens
    self.light = lens.direction(light)
    above = lens.direction(.up)
    colours = background
    depths = Array(repeating: .infinity, count: background.count)
  }

  /// Draws a solid, given in the world's axes, where nothing is in front of it.
  mutating func draw(_ solid: Solid) {
    let solid = solid.mapped(place: lens.place, direction: lens.direction)
    guard let first = lens.pixels(around: solid.start, radius: solid.startRadius),
      let last = lens.pixels(around: solid.end, radius: solid.endRadius)
    else { return }
    let box = first.union(last)
    touched = touched.map { $0.union(box) } ?? box
    let caster = SolidCaster(solid)
    for row in box.rows {
      let rayY = lens.rayY(row: row)
      for column in stride(from: box.columns.lowerBound, to: box.columns.upperBound, by: 8) {
        let hit = caster.cast(
          x: lens.rayX(column: column) + SolidCaster.lanes / lens.focal, y: rayY)
        guard any(hit.isHit) else { continue }
        let shade = brightness(of: hit)
        let start = row * lens.width + column
        for lane in 0..<min(8, lens.width - column)
        where hit.isHit[lane] && hit.depth[lane] < depths[start + lane] {
          depths[start + lane] = hit.depth[lane]
          colours[start + lane] = SIMD4(solid.colour * shade[lane], 0)
        }
      }
    }
  }

  /// Light from one side, light from the ceiling and the dark of edges that turn away.
  private func brightness(of hit: SolidCaster.Hit) -> SolidCaster.Lanes {
    let lengths =
      hit.normalX * hit.normalX + hit.normalY * hit.normalY + hit.normalZ * hit.normalZ
    let scale = 1 / lengths.squareRoot()
    let direct = (hit.normalX * light.x + hit.normalY * light.y + hit.normalZ * light.z) * scale
    let ceiling = (hit.normalX * above.x + hit.normalY * above.y + hit.normalZ * above.z) * scale
    let facing = -hit.normalZ * scale
    let lit = direct.clamped(lowerBound: .zero, upperBound: .one)
    let ambient = 0.36 + 0.44 * lit
    return ambient + 0.12 * ceiling + 0.18 * facing
  }

  /// Darkens a round patch of the floor, most in the middle.
  ///
  /// - Parameters:
  ///   - place: The middle, in the world's axes; its height does not count.
  ///   - radius: Where the shadow ends, in metres.
  ///   - strength: How much light it takes in the middle, from 0 to 1.
  mutating func shadeFloor(at place: Vector, radius: Float, strength: Float) {
    let middle = Vector(place.x, 0, place.z)
    guard let box = lens.pixels(around: lens.place(middle), radius: radius) else { return }
    for row in box.rows {
      // The camera is level: a row meets the floor all along at the same depth.
      let ray = lens.worldRay(column: box.columns.lowerBound, row: row)
      guard ray.y < -0.001 else { continue }
      let depth = -lens.position.y / ray.y
      let step = lens.right * (depth / (lens.focal * radius))
      let first = (lens.position + ray * depth - middle) / radius
      var (x, z) = (first.x, first.z)
      for index
        in (row * lens.width + box.columns.lowerBound)..<(row * lens.width
        + box.columns.upperBound)
      {
        let share = x * x + z * z
        if share < 1 { colours[index] *= 1 - strength * (1 - share) * (1 - share) }
        x += step.x
        z += step.z
      }
    }
  }

  /// Softens what was drawn, as a lens does; edges lose their steps.
  mutating func soften() {
    guard let touched else { return }
    func inside(_ range: Range<Int>, of length: Int) -> Range<Int> {
      let start = max(1, range.lowerBound - 1)
      return start..<max(start, min(length - 1, range.upperBound + 1))
    }
    let columns = inside(touched.columns, of: lens.width)
    let rows = inside(touched.rows, of: lens.height)
    guard !columns.isEmpty, !rows.isEmpty else { return }
    blur(columns, rows, step: 1)
    blur(columns, rows, step: lens.width)
  }

  /// One pass of the weights ¼, ½, ¼ along rows or columns.
  private mutating func blur(_ columns: Range<Int>, _ rows: Range<Int>, step: Int) {
    let alongRows = step == 1
    for outer in alongRows ? rows : columns {
      let inner = alongRows ? columns : rows
      let start = alongRows ? outer * lens.width : outer
      var before = colours[start + (inner.lowerBound - 1) * step]
      for position in inner {
        let index = start + position * step
        let here = colours[index]
        colours[index] = (before + here + here + colours[index + step]) * 0.25
        before = here
      }
    }
  }
}
