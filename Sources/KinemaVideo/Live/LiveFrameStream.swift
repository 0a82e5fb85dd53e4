package import Foundation

/// A connection to a live source, which gives one picture after the other.
///
/// It is opened and used by one thread, which it may block.
package protocol LiveFrameStream {
  /// Whether pictures come as fast as they are asked for, so that the reader must keep them to the
  /// pace of their time stamps.
  var isPaced: Bool { get }
  /// Whether it is a recording, which ends by itself.
  var hasEnd: Bool { get }

  /// The next picture and its time stamp in seconds, where it has one; `nil` at the end.
  ///
  /// An error ends the connection; see ``PermanentFailure`` for one that ends the source.
  mutating func next() throws -> (frame: Frame, stamp: TimeInterval?)?
}

extension LiveFrameStream {
  package var hasEnd: Bool { false }
}

/// A failure after which it makes no sense to try again.
package struct PermanentFailure: Error {
  /// What was wrong.
  package let error: VideoError

  /// Marks an error as permanent.
  package init(_ error: VideoError) {
    self.error = error
  }
}
