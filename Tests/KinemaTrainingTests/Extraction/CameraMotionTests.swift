import Foundation
import KinemaStreams
import KinemaTraining
import KinemaVideo
import KinemaVision
import Testing

@Suite("The motion of the camera")
struct CameraMotionTests {
  /// A checked wall that moves by so many pixels a frame, with something that moves before it.
  private func speed(pixelsPerFrame: Int, textured: Bool = true) async throws -> Double {
    let folder = try DataFolder()
    let (width, height) = (320, 180)
    let url = folder.file("a.mp4")
    let writer = try await VideoWriter(
      url: url, size: CGSize(width: width, height: height), frameRate: 30)
    for index in 0..<40 {
      var frame = Frame(width: width, height: height)
      frame.withUnsafeMutableBytes { bytes in
        for y in 0..<height {
          for x in 0..<width {
            let wall = ((x + index * pixelsPerFrame) / 23 * 7 + y / 19 * 5) % 11 * 20
            let isFigure = abs(x - 160 - index % 20) < 30 && y > 40
            let value = isFigure ? UInt8(index * 6) : UInt8(textured ? wall : 128)
            for channel in 0..<3 { bytes[(y * width + x) * 4 + channel] = value }
          }
        }
      }
      let id = TemporalSegmentIdentifier(source: "a", range: index..<(index + 1), timescale: 30)
      try await writer.append(TemporalFeature(id: id, feature: frame))
    }
    try await writer.finish()
    let extractor = FeatureExtractor(configuration: .init(cacheFolder: folder.file("cache"))) {
      { _, _ in [] }
    }
    let listing = DataListing(annotations: [ActionAnnotation(url: url, label: "x")])
    return try #require(try await extractor.extract([listing])[0].videos.first?.cameraSpeed)
  }

  @Test("a camera at rest has no speed, with moving people and any background")
  func atRest() async throws {
    #expect(try await speed(pixelsPerFrame: 0) == 0)
    #expect(try await speed(pixelsPerFrame: 0, textured: false) == 0)
  }

  @Test("a camera that pans has about the speed of the picture")
  func panning() async throws {
    // One pixel a frame is 30 of 320 a second.
    let speed = try await speed(pixelsPerFrame: 1)
    #expect(abs(speed - 30.0 / 320) < 0.02)
  }
}
