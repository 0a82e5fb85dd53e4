import Foundation
import Kinema
import KinemaRendering
import KinemaSynth

enum SynthVideo {
  /// Renders a scene into a video; `onFrame` receives the number of rendered frames.
  static func write(
    _ scene: SyntheticScene, frameCount: Int, options: SynthOptions, seed: UInt64, to url: URL,
    onFrame: (Int) -> Void
  ) async throws {
    let renderer = SyntheticRenderer(
      scene, width: options.size.width, height: options.size.height, seed: seed)
    let writer = try await VideoWriter(
      url: url, size: CGSize(width: options.size.width, height: options.size.height),
      frameRate: options.fps)
    defer { writer.cancel() }
    let timescale = 1_000_000
    func tick(_ index: Int) -> Int {
      Int((Double(index) / options.fps * Double(timescale)).rounded())
    }
    for index in 0..<frameCount {
      try Task.checkCancellation()
      let id = TemporalSegmentIdentifier(
        source: url.path, range: tick(index)..<tick(index + 1), timescale: timescale)
      let frame = renderer.frame(at: Double(index) / options.fps)
      try await writer.append(TemporalFeature(id: id, feature: frame))
      onFrame(index + 1)
    }
    try await writer.finish()
  }
}
