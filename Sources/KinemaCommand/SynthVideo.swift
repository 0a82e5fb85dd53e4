import Foundation
import Kinema

/// Writes scenes of synthetic people as videos.
enum SynthVideo {
  /// Renders a scene into a video, whole or not at all.
  ///
  /// - Parameter onFrame: Told how many frames are done.
  static func write(
    _ scene: SyntheticScene, frameCount: Int, wish: SynthWish, seed: UInt64, to url: URL,
    onFrame: (Int) -> Void
  ) async throws {
    let renderer = SyntheticRenderer(scene, width: wish.width, height: wish.height, seed: seed)
    let writer = try await VideoWriter(
      url: url, size: CGSize(width: wish.width, height: wish.height), frameRate: wish.frameRate)
    defer { writer.cancel() }
    let timescale = 1_000_000
    func tick(_ index: Int) -> Int {
      Int((Double(index) / wish.frameRate * Double(timescale)).rounded())
    }
    for index in 0..<frameCount {
      try Task.checkCancellation()
      let id = TemporalSegmentIdentifier(
        source: url.path, range: tick(index)..<tick(index + 1), timescale: timescale)
      let frame = renderer.frame(at: Double(index) / wish.frameRate)
      try await writer.append(TemporalFeature(id: id, feature: frame))
      onFrame(index + 1)
    }
    try await writer.finish()
  }
}
