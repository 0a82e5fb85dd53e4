import KinemaSynth
import Testing

@Suite struct ChoreographyTests {
  private static func choreographies(_ motion: Motion) -> [Choreography] {
    (0..<6 as Range<UInt64>).map { seed in
      var generator = SeededGenerator(seed: seed)
      let person = SyntheticPerson.random(using: &generator)
      var style = Style(person: person, generator: generator)
      return motion.choreography(&style)
    }
  }

  @Test("the shares of each motion's cycle are above 0 and add up to it", arguments: Motion.library)
  func shares(motion: Motion) {
    for choreography in Self.choreographies(motion) {
      #expect(choreography.shares.count == choreography.postures.count)
      #expect(choreography.shares.allSatisfy { $0 > 0 })
      #expect(abs(choreography.shares.reduce(0, +) - 1) < 1e-6)
      #expect(choreography.postures.count.isMultiple(of: choreography.repetitionsPerCycle))
    }
  }

  @Test("a cycle ends where the next one begins, whatever its depth", arguments: Motion.library)
  func cycles(motion: Motion) {
    for choreography in Self.choreographies(motion) {
      for index in 0..<3 {
        for depth in [0.8, 1, 1.2] as [Float] {
          let cycle = choreography.cycle(index, depth: depth)
          #expect(cycle.count == choreography.postures.count)
          let isMirrored = choreography.alternates && index.isMultiple(of: 2)
          #expect(cycle.last == (isMirrored ? choreography.rest.mirrored : choreography.rest))
        }
      }
    }
  }

  @Test("each repetition of a cycle ends with one of its postures, the last with the last")
  func repetitions() {
    for choreography in Motion.library.flatMap(Self.choreographies) {
      let ends = choreography.postures.indices.filter(choreography.endsRepetition)
      #expect(ends.count == choreography.repetitionsPerCycle)
      #expect(ends.last == choreography.postures.count - 1)
    }
  }

  @Test("a deeper cycle goes farther from the rest by as much, unless hands are planted on the way")
  func depth() throws {
    for choreography in Self.choreographies(.squats) {
      let usual = choreography.cycle(0, depth: 1)
      let deeper = choreography.cycle(0, depth: 1.1)
      let rest = choreography.rest.pelvis.y
      let (way, longer) = (rest - usual[0].pelvis.y, rest - deeper[0].pelvis.y)
      #expect(way > 0.1 && abs(longer / way - 1.1) < 1e-3)
    }
    for choreography in Self.choreographies(.burpees) {
      let (usual, deeper) = (choreography.cycle(0, depth: 1), choreography.cycle(0, depth: 1.1))
      for (one, other) in zip(usual, deeper) where one.left.planted > choreography.rest.left.planted
      {
        #expect(one == other)
      }
    }
  }

  @Test("noise has its deviation at the knots, and changes smoothly between them")
  func smoothNoise() {
    var generator = SeededGenerator(seed: 5)
    let noise = SmoothNoise(spacing: 0.5, amplitude: 3, duration: 1000, using: &generator)
    let knots = (0..<2000).map { noise.value(at: 0.5 * Double($0)) }
    let square = knots.reduce(0) { $0 + $1 * $1 } / 2000
    #expect(abs(square.squareRoot() - 3) < 0.15)
    #expect(abs(knots.reduce(0, +) / 2000) < 0.2)
    for time in stride(from: 0, to: 50, by: 0.01) {
      let (here, next) = (noise.value(at: time), noise.value(at: time + 0.01))
      let index = Int(time / 0.5 + 1e-9)
      // The steepest slope between two knots is 1.5 times the straight one.
      let span = index + 1 < knots.count ? abs(knots[index + 1] - knots[index]) : 0
      let after = index + 2 < knots.count ? abs(knots[index + 2] - knots[index + 1]) : 0
      #expect(abs(next - here) <= 1.51 * 0.02 * max(span, after) + 1e-4)
    }
  }
}
