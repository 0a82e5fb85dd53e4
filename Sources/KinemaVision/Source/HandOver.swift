package import Foundation
import KinemaStreams
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
    frames = try await VideoReader.read(segment.withoutWarmUp, ofFileAt: url).makeAsyncIterator()
  }

  /// A frame with the poses of the continued tracks; `nil` if there is no such frame.
  package func tracked(_ frame: PosedFrame) async throws -> PosedFrame? {
    while let picture = try await frames.next() {
      guard picture.id.range.lowerBound >= frame.id.range.lowerBound else { continue }
      guard picture.id == frame.id else { return nil }
      var tracked = frame
      (tracked.poses, tracked.appearances) = try await stream.perform {
        (try $0.poses(in: picture.feature, at: frame.time), $0.appearances)
      }
      return tracked
    }
    return nil
  }
}
