import KinemaSynth
package import KinemaVideo

/// Renders a scene as frames; the same scene, size, seed and time give the same frame.
package struct SyntheticRenderer: Sendable {
  package let scene: SyntheticScene
  package let width: Int
  package let height: Int
  private let backdrop: Backdrop
  private let place: Backdrop.Place
  /// The empty room, where the camera does not move.
  private let room: [SIMD4<Float>]?
  private let light: Vector
  private let exposure: Float
  private let grain: FilmGrain

  /// Creates a renderer with a random room; `noise` is the grain's deviation in 8-bit steps.
  package init(
    _ scene: SyntheticScene, width: Int = 640, height: Int = 480, seed: UInt64 = 0,
    noise: Float = 2
  ) {
    precondition(width > 0 && height > 0, "A picture has at least one pixel.")
    self.scene = scene
    self.width = width
    self.height = height
    let lens = Lens(scene.viewpoint, width: width, height: height)
    var generator = SeededGenerator(seed: seed)
    backdrop = Backdrop(using: &generator)
    exposure = generator.uniform(0.9...1.08)
    let aside = generator.uniform(-0.8...0.8)
    light = (lens.right * aside + .up * 0.8 + lens.back * 0.7).normalized
    grain = FilmGrain(deviation: noise, using: &generator)
    place = Backdrop.Place(lens, scene.viewpoint.target, depth: generator.uniform(2.2...3.4))
    room = scene.sway == nil ? backdrop.colours(at: place, lens: lens) : nil
  }

  /// The frame at a time, in seconds from the scene's start.
  package func frame(at time: Double) -> Frame {
    let lens = Lens(scene.viewpoint(at: time), width: width, height: height)
    var canvas = RenderTarget(
      lens: lens, background: room ?? backdrop.colours(at: place, lens: lens), light: light)
    for figure in scene.figures {
      for shadow in shadows(of: figure.skeleton(at: time)) {
        canvas.shadeFloor(at: shadow.place, radius: shadow.radius, strength: shadow.strength)
      }
    }
    for solid in scene.furniture { canvas.draw(solid) }
    for solid in scene.solids(at: time).joined() { canvas.draw(solid) }
    canvas.soften()
    return developed(canvas, time: time)
  }

  /// What is near the floor keeps the light from it.
  private func shadows(
    of body: Skeleton
  ) -> [(place: Vector, radius: Float, strength: Float)] {
    var casters: [(place: Vector, radius: Float)] = [(body.root, 0.5), (body.neck, 0.5)]
    for side in [body.left, body.right] {
      casters += [(side.ball, 0.2), (side.ankle, 0.2), (side.wrist, 0.2), (side.knee, 0.25)]
    }
    return casters.map { place, radius in
      (place, radius * (1 + place.y), 0.45 / (1 + 4 * max(0, place.y)))
    }
  }

  /// A float of this size has no room for fractions: adding it rounds a number below it to a whole
  /// one, which then stands in the lowest bits.
  private static let rounding: Float = 0x1p23

  private func developed(_ canvas: RenderTarget, time: Double) -> Frame {
    var frame = Frame(width: width, height: height)
    let exposure = 255 * exposure
    let white = SIMD4<Float>(repeating: 255)
    frame.withUnsafeMutableBytes { bytes in
      let pixels = bytes.bindMemory(to: UInt32.self)
      canvas.colours.withUnsafeBufferPointer { colours in
        for row in 0..<height {
          grain.row(row, time: time, width: width).withUnsafeBufferPointer { noise in
            for column in 0..<width {
              let index = row * width + column
              let colour = colours[index] * exposure + noise[column]
              let low = colour.replacing(with: 0, where: colour .< 0)
              let clipped = low.replacing(with: white, where: low .> white)
              let bits = unsafeBitCast(clipped + Self.rounding, to: SIMD4<UInt32>.self)
              pixels[index] = bits[0] & 255 | (bits[1] & 255) << 8 | (bits[2] & 255) << 16
            }
          }
        }
      }
    }
    return frame
  }
}
