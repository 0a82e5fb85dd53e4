extension SyntheticScene {
  /// The visible share of each person's outline, from 0 to 1; 0 for one outside the frame.
  ///
  /// - Parameters:
  ///   - time: In seconds from the scene's start.
  ///   - width: The width in pixels of the comparison.
  ///   - height: The height in pixels of the comparison.
  package func visibleShares(at time: Double, width: Int = 160, height: Int = 90) -> [Float] {
    let lens = Lens(viewpoint, width: width, height: height)
    let background = [SIMD4<Float>](repeating: .zero, count: width * height)
    let depths = figures.map { figure in
      var canvas = Canvas(lens: lens, background: background, light: .up)
      let dressed = FigureSolids(
        body: figure.skeleton(at: time), person: figure.session.person,
        appearance: figure.appearance)
      for solid in dressed.solids { canvas.draw(solid) }
      return canvas.depths
    }
    return depths.indices.map { figure in
      var (all, seen) = (0, 0)
      for pixel in 0..<width * height where depths[figure][pixel] < .infinity {
        all += 1
        if depths.allSatisfy({ $0[pixel] >= depths[figure][pixel] }) { seen += 1 }
      }
      return all == 0 ? 0 : Float(seen) / Float(all)
    }
  }
}
