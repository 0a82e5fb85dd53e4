package import Foundation

/// A connection to a live source; opened and used by one thread, which it may block.
package protocol LiveFrameStream {
  /// Whether frames arrive on demand, so that the reader must pace them by time stamps.
  var isPaced: Bool { get }
  var hasEnd: Bool { get }

  /// The next frame and its time stamp in seconds, if any; `nil` at the end.
  ///
  /// An error ends the connection, a ``PermanentFailure`` the source.
  mutating func next() throws -> (frame: Frame, stamp: TimeInterval?)?
}

extension LiveFrameStream {
  package var hasEnd: Bool { false }
}

/// A failure without a retry.
package struct PermanentFailure: Error {
  package let error: VideoError

  package init(_ error: VideoError) { self.error = error }
}
