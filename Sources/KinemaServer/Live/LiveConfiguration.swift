package import Foundation
package import KinemaCoach
package import KinemaVision

package struct LiveConfiguration: Sendable {
  package var defaultModel: String? = SessionSettings().model
  package var workerCount: Int
  /// How the networks calculate, and where.
  package var settings = NetworkSettings()
  /// Whether joints are smoothed, for drawing.
  package var isSmoothed = false
  package var maximumSessionCount: Int
  /// How many connections may wait for a session.
  package var maximumWaitingCount = 32
  /// How often a waiting connection asks for a session, in seconds.
  package var queueInterval: TimeInterval = 0.5
  /// The frame rate that each session must be able to receive for a new one to be admitted; 0 for
  /// no limit.
  package var leastFrameRate = 8.0
  /// The largest size of a client's frame, in bytes.
  package var maximumPictureBytes = 4 << 20
  /// The largest size of a client's frame, in pixels.
  package var maximumPictureSize = 1920 * 1920
  /// The most people that a session may follow.
  package var maximumPersonCount = 6
  /// What evaluates repetitions; `nil` for nothing.
  package var coach = LiveCoach.builtIn
  /// How long a session can be resumed after its connection broke, in seconds.
  package var resumeTime: TimeInterval = 120
  /// How long a client may take to send `start`, in seconds.
  package var startTime: TimeInterval = 10
  /// How many messages in a row may be malformed before the connection is closed.
  package var maximumFaultCount = 10
  /// How often what a session did is saved, in seconds.
  package var saveInterval: TimeInterval = 2
  /// Where sessions are recorded on video; `nil` where that is not allowed.
  package var recordingFolder: URL?
  /// The JPEG quality, from 1 to 100, of frames of the server's sources.
  package var pictureQuality = 75

  /// The defaults of a machine: a thread for each processor, four sessions for each.
  package init(processorCount: Int = ProcessInfo.processInfo.activeProcessorCount) {
    workerCount = max(1, processorCount)
    maximumSessionCount = 4 * max(1, processorCount)
  }
}
