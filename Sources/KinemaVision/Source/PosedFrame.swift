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
  /// The width and height of the upright frame in square pixels; `nil` for a pose file that does not
  /// have them.
  package var size: (width: Int, height: Int)?
  /// Width by height where another one than that of ``size`` is asked for.
  package var givenAspectRatio: Float?
  /// The upright image, if requested and available.
  package var picture: Frame?
  /// The poses, in the order of their ids.
  package var poses: [Pose]
}

extension PosedFrame {
  /// The memory for the images of frames that wait at one place, such as for the reader, in bytes.
  static let waitingByteCount = 64 << 20
  /// The largest number of frames without images that wait.
  fileprivate static let waitingCount = 1000

  /// Width by height of the upright frame; `nil` where it is not known.
  package var aspectRatio: Float? {
    givenAspectRatio ?? size.map { Float($0.width) / Float(max($0.height, 1)) }
  }

  package init(_ frame: TemporalFeature<Frame>, poses: [Pose], keepsPicture: Bool) {
    self.init(
      id: frame.id, size: (frame.feature.width, frame.feature.height), poses: poses)
    picture = keepsPicture ? frame.feature : nil
  }

  /// A frame of a video; its time is the start of its range.
  init(id: TemporalSegmentIdentifier, size: (width: Int, height: Int), poses: [Pose]) {
    self.init(id: id, time: id.rangeInSeconds.lowerBound, size: size, poses: poses)
  }

  /// A frame of a client, at a time in seconds.
  package init(
    at time: TimeInterval, of source: String, size: (width: Int, height: Int), poses: [Pose]
  ) {
    let start = AsyncFrames.ticks(time) ?? 0
    self.init(
      id: TemporalSegmentIdentifier(
        source: source, range: start..<start + 1, timescale: AsyncFrames.timescale),
      time: time, size: size, poses: poses)
  }

  /// A frame of a pose file.
  init(_ frame: PoseSequence.Frame, of source: String) {
    // Times of pose files are exact; the range is in whole ticks.
    let start = AsyncFrames.ticks(frame.time) ?? 0
    self.init(
      id: TemporalSegmentIdentifier(
        source: source, range: start..<start + 1, timescale: AsyncFrames.timescale),
      time: frame.time, size: frame.pixels, poses: frame.poses)
  }

  /// The frame as it stands in a pose file.
  package var sequenceFrame: PoseSequence.Frame {
    PoseSequence.Frame(
      time: time, poses: poses, size: size.map { CGSize(width: $0.width, height: $0.height) })
  }
}

extension WaitingFrame<PosedFrame> {
  /// A frame of a video whose ids are not decided.
  package init(_ frame: TemporalFeature<Frame>, people: [TrackedPerson], keepsPicture: Bool) {
    let payload = PosedFrame(frame, poses: [], keepsPicture: keepsPicture)
    let byteCount = max(1, 4 * frame.feature.width * frame.feature.height)
    let limit = PosedFrame.waitingByteCount / byteCount
    self.init(
      number: payload.id.range.lowerBound, time: payload.time, people: people,
      limits: (limit, keepsPicture ? limit : PosedFrame.waitingCount), payload: payload)
  }

  /// The frame with the poses of its people.
  package var posed: PosedFrame {
    var frame = payload
    frame.poses = people.map(\.pose)
    return frame
  }
}
