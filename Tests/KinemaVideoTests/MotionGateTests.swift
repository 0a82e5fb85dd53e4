import Foundation
import KinemaVideo
import Testing

/// A view of 64 × 36 cells with a camera's noise.
private struct View {
  static let (width, height) = (64, 36)
  private var state: UInt64 = 1
  var time = 0.0

  /// A number from -1 to 1.
  private mutating func noise() -> Float {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(state >> 40) / Float(1 << 23) - 1
  }

  /// The next picture, a fifth of a second later; `changed` is what is added to each cell.
  mutating func next(_ changed: (_ x: Int, _ y: Int) -> Float = { _, _ in 0 }) -> LumaGrid {
    time += 0.2
    let values = (0..<Self.width * Self.height).map { index in
      let (x, y) = (index % Self.width, index / Self.width)
      return 90 + Float(x) + noise() + changed(x, y)
    }
    return LumaGrid(width: Self.width, height: Self.height, values: values)
  }
}

final class MotionGateTests {
  private var view = View()
  private var gate = MotionGate()

  /// Whether something moves in the next picture.
  private func moves(_ grid: LumaGrid) -> Bool { !gate.add(grid, at: view.time).isEmpty }

  /// How many of the pictures of some seconds have motion in them.
  private func motions(
    seconds: Double, _ changed: (_ time: Double, _ x: Int, _ y: Int) -> Float = { _, _, _ in 0 }
  ) -> Int {
    (0..<Int(seconds * 5)).count { _ in
      let time = view.time
      let grid = view.next { changed(time, $0, $1) }
      return !gate.add(grid, at: view.time).isEmpty
    }
  }

  @Test("the first picture may show anything, and noise is no motion")
  func noise() {
    #expect(moves(view.next()))
    #expect(motions(seconds: 60) == 0)
  }

  @Test("a small person of little contrast who comes in is motion at once")
  func person() {
    _ = motions(seconds: 20)
    let grid = view.next { x, y in (30...31).contains(x) && (20...24).contains(y) ? 6 : 0 }
    #expect(moves(grid))
  }

  @Test("motion is where cells that touch one another move, upwards from below as in poses")
  func areas() {
    _ = motions(seconds: 20)
    let grid = view.next { x, y in
      (16...19).contains(x) && (0...8).contains(y) || (60...63).contains(x) && y == 35 ? 40 : 0
    }
    let found = gate.add(grid, at: view.time).sorted { $0.lowerLeft.x < $1.lowerLeft.x }
    #expect(
      found == [
        MotionArea(lowerLeft: SIMD2(0.25, 0.75), upperRight: SIMD2(0.3125, 1)),
        MotionArea(lowerLeft: SIMD2(0.9375, 0), upperRight: SIMD2(1, 1.0 / 36)),
      ])
  }

  @Test("one cell alone is no motion")
  func speck() {
    _ = motions(seconds: 20)
    #expect(motions(seconds: 2) { _, x, y in x == 30 && y == 20 ? 40 : 0 } == 0)
  }

  @Test("light that changes everywhere is no motion, gradual or at once")
  func light() {
    _ = motions(seconds: 20)
    #expect(motions(seconds: 10) { time, _, _ in Float(time - 20) * 4 } == 0)
    #expect(motions(seconds: 5) { _, _, _ in 70 } == 0)
  }

  @Test("clouds and exposure, which multiply brightness, are no motion and hide nobody")
  func clouds() {
    func cloud(_ time: Double, _ x: Int, _ y: Int) -> Float {
      Float(-0.2 + 0.2 * cos(time / 2)) * (90 + Float(x))
    }
    _ = motions(seconds: 4 * .pi)
    #expect(motions(seconds: 60, cloud) == 0)
    let time = view.time
    let grid = view.next { x, y in
      cloud(time, x, y) + ((30...31).contains(x) && (20...24).contains(y) ? 6 : 0)
    }
    #expect(moves(grid))
    // Twice as bright at once, as by a lamp, in a picture that still shows all of it.
    #expect(motions(seconds: 5) { _, x, _ in 90 + Float(x) } == 0)
  }

  @Test("what stands still becomes background")
  func standing() {
    _ = motions(seconds: 20)
    let moving = motions(seconds: 20) { _, x, y in (10...12).contains(x) && y > 20 ? 30 : 0 }
    #expect((5...60).contains(moving))
    #expect(motions(seconds: 5) { _, x, y in (10...12).contains(x) && y > 20 ? 30 : 0 } == 0)
  }

  @Test("leaves that move all the time are learned, and hide nobody beside them")
  func leaves() {
    func leaves(_ time: Double, _ x: Int, _ y: Int) -> Float {
      let isLeft = Int(time * 5).isMultiple(of: 2)
      return x < 8 && y < 8 ? (isLeft == (x + y).isMultiple(of: 2) ? 12 : -12) : 0
    }
    _ = motions(seconds: 60, leaves)
    #expect(motions(seconds: 10, leaves) == 0)
    let time = view.time
    let grid = view.next { x, y in
      leaves(time, x, y) + ((40...41).contains(x) && (20...26).contains(y) ? 10 : 0)
    }
    #expect(moves(grid))
  }

  @Test("what moves while people do is not learned")
  func people() {
    _ = motions(seconds: 20)
    func walker(_ x: Int, _ y: Int, at time: Double) -> Float {
      x == 20 + Int(time * 5) % 3 && y > 10 ? 30 : 0
    }
    for _ in 0..<300 {
      let time = view.time
      let grid = view.next { walker($0, $1, at: time) }
      _ = gate.add(grid, at: view.time, learns: false)
    }
    _ = motions(seconds: 20)
    let grid = view.next { x, y in x == 21 && y > 10 ? 8 : 0 }
    #expect(moves(grid))
  }

  @Test("a picture of another size, or of a time before, begins again")
  func restart() {
    _ = motions(seconds: 5)
    let small = LumaGrid(width: 1, height: 2, values: [1, 2])
    let results = [view.time + 1, 0, 1].map { gate.add(small, at: $0) }
    #expect(results == [[.everywhere], [.everywhere], []])
  }

  @Test(
    "a grid has the mean brightness of a frame's parts, whatever its size",
    arguments: [(1, 1), (3, 200), (64, 36), (641, 479), (1920, 1080)])
  func grid(width: Int, height: Int) {
    var frame = Frame(width: width, height: height)
    frame.withUnsafeMutableBytes { bytes in
      for y in 0..<height {
        for x in 0..<width {
          bytes[(y * width + x) * 4] = 255
          bytes[(y * width + x) * 4 + 1] = 2 * y < height ? 40 : 200
        }
      }
    }
    let grid = LumaGrid(of: frame)
    #expect(max(grid.width, grid.height) <= LumaGrid.side)
    #expect(grid.values.first == 40 && grid.values.allSatisfy { (40...200).contains($0) })
    if height > 1 { #expect(grid.values.last == 200) }
  }
}
