package import Foundation
package import KinemaPose
package import KinemaStreams
package import KinemaTracking
package import KinemaVideo

/// A frame with the poses found in it.
package struct PosedFrame: Sendable {
  /// The number of the frame in its source, from 0.
  package var index = 0
  /// The source and range of time of the frame.
  package var id: TemporalSegmentIdentifier
  /// When the frame is shown, in seconds.
  package var time: TimeInterval
  /// The width and height of the upright frame in pixels; `nil` for a pose file.
  package var size: (width: Int, height: Int)?
  /// The upright image, if requested and available.
  package var picture: Frame?
  /// The poses, in the order of their ids.
  package var poses: [Pose]
  /// The visible appearances of people, by id, until the ids of the video are decided.
  package var appearances: [Int: Appearance] = [:]
}

extension PosedFrame {
  /// The memory for the images of frames that wait at one place, such as for the reader, in bytes.
  static let waitingByteCount = 64 << 20

  /// Width by height of the upright frame; `nil` for a pose file.
  package var aspectRatio: Float? { size.map { Float($0.width) / Float(max($0.height, 1)) } }

  package init(
    _ frame: TemporalFeature<Frame>, poses: [Pose], appearances: [Int: Appearance] = [:],
    keepsPicture: Bool
  ) {
    self.init(
      id: frame.id, size: (frame.feature.width, frame.feature.height), poses: poses)
    self.appearances = appearances
    picture = keepsPicture ? frame.feature : nil
  }

  /// A frame of a video; its time is the start of its range.
  init(id: TemporalSegmentIdentifier, size: (width: Int, height: Int), poses: [Pose]) {
    self.init(id: id, time: id.rangeInSeconds.lowerBound, size: size, poses: poses)
  }

  /// A frame of a pose file.
  init(_ frame: PoseSequence.Frame, of source: String) {
    // Times of pose files are exact; the range is in whole ticks.
    let start = Int((frame.time * Double(AsyncFrames.timescale)).rounded())
    self.init(
      id: TemporalSegmentIdentifier(
        source: source, range: start..<start + 1, timescale: AsyncFrames.timescale),
      time: frame.time, poses: frame.poses)
  }
}
