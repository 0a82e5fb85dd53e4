import Foundation
import KinemaRendering
import KinemaSynth
import KinemaVideo
import Testing

/// What a picture shows of people, measured in its pixels.
@Suite("Silhouettes of synthetic people")
struct SilhouetteTests {
  private static let (width, height) = (320, 240)
  private static let session = SyntheticSession([.standing(seconds: 4)], seed: 2)
  private static let front = Viewpoint(
    target: SIMD3(0, 0.9, 0), yawDegrees: 0, pitchDegrees: 0, distance: 4)
  /// Pixels a metre at a distance of one metre.
  private static let focal = Float(height) / (2 * tan(22.5 * .pi / 180))

  private static let red = SIMD3<Float>(0.9, 0.04, 0.04)
  private static let green = SIMD3<Float>(0.04, 0.9, 0.04)

  /// All of one colour.
  private static func dressed(_ colour: SIMD3<Float>) -> SyntheticAppearance {
    var appearance = SyntheticAppearance.plain
    (appearance.skin, appearance.hair, appearance.shirt) = (colour, colour, colour)
    (appearance.trousers, appearance.shoes) = (colour, colour)
    return appearance
  }

  private static func figure(
    _ appearance: SyntheticAppearance = dressed(red), at position: SIMD2<Float> = .zero
  ) -> SyntheticScene.Figure {
    SyntheticScene.Figure(session, appearance: appearance, position: position)
  }

  /// Red, green and blue, from the upper left.
  private static func pixels(
    _ figures: [SyntheticScene.Figure], _ viewpoint: Viewpoint = front, scale: Int = 1,
    noise: Float = 0, time: Double = 1
  ) -> [SIMD3<Int>] {
    SyntheticRenderer(
      SyntheticScene(figures, viewpoint: viewpoint), width: width * scale,
      height: height * scale, seed: 5, noise: noise
    ).frame(at: time).withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map {
        SIMD3(Int(bytes[$0]), Int(bytes[$0 + 1]), Int(bytes[$0 + 2]))
      }
    }
  }

  private static func isRed(_ pixel: SIMD3<Int>) -> Bool {
    pixel.x > 60 && pixel.x > 3 * max(pixel.y, pixel.z)
  }

  private static func isGreen(_ pixel: SIMD3<Int>) -> Bool {
    pixel.y > 60 && pixel.y > 3 * max(pixel.x, pixel.z)
  }

  /// The columns and rows of the pixels that are red.
  private static func box(
    _ pixels: [SIMD3<Int>]
  ) throws -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
    let places = pixels.indices.filter { isRed(pixels[$0]) }
    let (columns, rows) = (places.map { $0 % width }, places.map { $0 / width })
    return try (
      #require(columns.min())...#require(columns.max()), #require(rows.min())...#require(rows.max())
    )
  }

  @Test("nobody is seen in an empty room")
  func empty() {
    #expect(!Self.pixels([]).contains { Self.isRed($0) || Self.isGreen($0) })
  }

  @Test("a person is as high as perspective says, from the soles to the crown")
  func stature() throws {
    for distance in [3, 4, 6] as [Float] {
      var viewpoint = Self.front
      viewpoint.distance = distance
      let rows = try Self.box(Self.pixels([Self.figure()], viewpoint)).rows
      let expected = Self.session.person.stature * Self.focal / distance
      #expect(abs(Float(rows.count) - expected) < 0.08 * expected + 2, "\(distance) m")
      // The middle of the picture is 0.9 m above the floor.
      let floor = Float(Self.height) / 2 + 0.9 * Self.focal / distance
      #expect(abs(Float(rows.upperBound) - floor) < 0.07 * Self.focal / distance + 2)
    }
  }

  @Test("twice as far away is a quarter of the pixels")
  func area() {
    func count(_ distance: Float) -> Int {
      var viewpoint = Self.front
      viewpoint.distance = distance
      return Self.pixels([Self.figure()], viewpoint).count(where: Self.isRed)
    }
    let ratio = Double(count(3)) / Double(count(6))
    #expect(ratio > 3.6 && ratio < 4.6, "\(ratio)")
  }

  @Test(
    "a metre aside is as many columns as perspective says", arguments: [-0.8, 0.5, 1] as [Float])
  func place(x: Float) throws {
    func middle(_ x: Float) throws -> Float {
      let columns = try Self.box(Self.pixels([Self.figure(at: SIMD2(x, 0))])).columns
      return Float(columns.lowerBound + columns.upperBound) / 2
    }
    let way = try middle(x) - middle(0)
    // Nearer arms move a little farther.
    #expect(abs(way - x * Self.focal / 4) < 3)
  }

  @Test("a camera that goes round sees what a person who turns the other way shows")
  func turning() {
    var aside = Self.front
    aside.yawDegrees = 60
    var turned = Self.figure()
    turned.headingDegrees = -60
    let (one, other) = (
      Self.pixels([Self.figure()], aside).map(Self.isRed), Self.pixels([turned]).map(Self.isRed)
    )
    let differing = zip(one, other).count { $0 != $1 }
    #expect(differing * 50 < one.count(where: { $0 }), "\(differing)")
  }

  @Test("a larger picture shows the same")
  func size() {
    let small = Self.pixels([Self.figure()])
    let large = Self.pixels([Self.figure()], scale: 2)
    var difference = 0
    for row in 0..<Self.height {
      for column in 0..<Self.width {
        let first = 2 * row * 2 * Self.width + 2 * column
        let sum =
          large[first] &+ large[first + 1] &+ large[first + 2 * Self.width]
          &+ large[first + 2 * Self.width + 1]
        let way = sum / 4 &- small[row * Self.width + column]
        difference += abs(way.x) + abs(way.y) + abs(way.z)
      }
    }
    #expect(Double(difference) / Double(3 * small.count) < 3)
  }

  @Test(
    "the visible share is that of the pixels which a nearer person leaves",
    arguments: [0.1, 0.25, 0.4] as [Float])
  func visibility(aside: Float) {
    let far = Self.figure(Self.dressed(Self.red), at: SIMD2(0, -0.6))
    let near = Self.figure(Self.dressed(Self.green), at: SIMD2(aside, 0.6))
    let alone = Self.pixels([far]).count(where: Self.isRed)
    let left = Self.pixels([far, near]).count(where: Self.isRed)
    let share = SyntheticScene([far, near], viewpoint: Self.front)
      .visibleShares(at: 1, width: Self.width, height: Self.height)[0]
    #expect(abs(Double(share) - Double(left) / Double(alone)) < 0.06)
    #expect(share > 0 && share < 1)
  }

  @Test("clothes are where they are worn: long or short sleeves and trousers, long or short hair")
  func clothes() throws {
    func count(
      _ isColoured: (SIMD3<Int>) -> Bool, _ change: (inout SyntheticAppearance) -> Void
    ) -> Int {
      var appearance = Self.dressed(SIMD3(0.5, 0.5, 0.5))
      change(&appearance)
      return Self.pixels([Self.figure(appearance)]).count(where: isColoured)
    }
    let sleeves = [true, false].map { isLong in
      count(Self.isRed) {
        $0.shirt = Self.red
        $0.hasLongSleeves = isLong
      }
    }
    #expect(Double(sleeves[0]) > 1.1 * Double(sleeves[1]))
    let trousers = [true, false].map { isLong in
      count(Self.isRed) {
        $0.trousers = Self.red
        $0.hasLongTrousers = isLong
      }
    }
    #expect(Double(trousers[0]) > 1.3 * Double(trousers[1]))
    // What clothes leave free is skin.
    let skin = [true, false].map { isLong in
      count(Self.isGreen) {
        $0.skin = Self.green
        ($0.hasLongSleeves, $0.hasLongTrousers) = (isLong, isLong)
      }
    }
    #expect(Double(skin[1]) > 1.5 * Double(skin[0]) && skin[0] > 50)
    // From behind, hair is all there is of the head.
    var back = Self.front
    back.yawDegrees = 180
    let hair = [true, false].map { isLong in
      var appearance = Self.dressed(SIMD3(0.5, 0.5, 0.5))
      (appearance.hair, appearance.hasLongHair) = (Self.red, isLong)
      return Self.pixels([Self.figure(appearance)], back).count(where: Self.isRed)
    }
    #expect(hair[0] > hair[1] && hair[1] > 50)
  }

  @Test("grain has its deviation and no mean, and is another one in each frame")
  func grain() {
    let plain = Self.pixels([])
    func noise(_ time: Double) -> [Double] {
      zip(Self.pixels([], noise: 4, time: time), plain).map { Double($0.y - $1.y) }
    }
    let (first, second) = (noise(1), noise(1.5))
    let mean = first.reduce(0, +) / Double(first.count)
    let variance = first.reduce(0) { $0 + $1 * $1 } / Double(first.count)
    #expect(abs(mean) < 0.15 && abs(variance.squareRoot() - 4) < 0.25)
    let product = zip(first, second).reduce(0) { $0 + $1.0 * $1.1 } / Double(first.count)
    #expect(abs(product) < 0.1 * variance)
  }

  @Test("feet take the light from the floor below them, and from nowhere else")
  func shadows() {
    let empty = Self.pixels([])
    let picture = Self.pixels([Self.figure()])
    // Beside the feet, in the rows of the floor.
    let beside = (210..<216).flatMap { row in (185..<195).map { row * Self.width + $0 } }
    let darker = beside.count { picture[$0].wrappedSum() < empty[$0].wrappedSum() }
    #expect(darker * 2 > beside.count)
    let wall = (0..<30).flatMap { row in (0..<Self.width).map { row * Self.width + $0 } }
    #expect(wall.allSatisfy { picture[$0] == empty[$0] })
  }
}
