package import KinemaPose
import KinemaSynth

extension SyntheticScene {
  /// The visible share of each person and hand, from 0 to 1: of the outline in the frame, times the share of
  /// joints in the frame.
  ///
  /// - Parameter time: In seconds from the scene's start.
  package func visibleShares(at time: Double, width: Int = 160, height: Int = 90) -> [Float] {
    let lens = Lens(viewpoint(at: time), width: width, height: height)
    let background = [SIMD4<Float>](repeating: .zero, count: width * height)
    var room = RenderTarget(lens: lens, background: background, light: .up)
    for solid in furniture { room.draw(solid) }
    let depths = solids(at: time).map { solids in
      var canvas = RenderTarget(lens: lens, background: background, light: .up)
      for solid in solids { canvas.draw(solid) }
      return canvas.depths
    }
    let poses = poses(at: time, aspectRatio: Float(width) / Float(height))
    return depths.indices.map { figure in
      var (all, seen) = (0, 0)
      for pixel in 0..<width * height where depths[figure][pixel] < .infinity {
        all += 1
        let depth = depths[figure][pixel]
        if room.depths[pixel] >= depth, depths.allSatisfy({ $0[pixel] >= depth }) { seen += 1 }
      }
      return all == 0 ? 0 : Float(seen) / Float(all) * poses[figure].shareInside
    }
  }
}

extension Pose {
  /// The share of joints in the frame, of an exact pose.
  package var shareInside: Float {
    keypoints.values.reduce(0) { $0 + $1.confidence } / Float(max(1, keypoints.count))
  }
}
