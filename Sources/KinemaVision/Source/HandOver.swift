package import Foundation
import KinemaStreams
package import KinemaTracking
package import KinemaVideo

/// Continues the tracks of a segment in the next one, while that has not found all of their people.
///
/// A tracked person may be hard to detect again, such as on the floor or half outside the frame, and
/// a segment starts without tracks.
package final class HandOver {
  let stream: PoseStream
  private var frames: AsyncFrames.Iterator

  /// - Parameter segment: The next segment.
  /// - Throws: ``VideoError`` if it cannot be read.
  package init(
    _ stream: PoseStream, into segment: VideoSegment, ofFileAt url: URL
  ) async throws {
    self.stream = stream
    frames = try await VideoReader.read(
      segment.withoutWarmUp, ofFileAt: url, isOnDemand: true
    ).makeAsyncIterator()
  }

  /// A frame with the people of the continued tracks; `nil` if there is no such frame.
  package func tracked(
    _ frame: WaitingFrame<PosedFrame>
  ) async throws -> WaitingFrame<PosedFrame>? {
    guard let picture = try await frames.next(from: frame.number), picture.id == frame.payload.id
    else { return nil }
    var tracked = frame
    tracked.people = try await stream.perform {
      try $0.people(in: picture.feature, at: frame.time)
    }
    return tracked
  }
}
