public import KinemaStreams

/// The frames of a camera until the reading task is cancelled.
///
/// A slow reader gets the newest frame. Iterate once, from one task. A frame's `id` has the
/// camera's device and a range of one millisecond, in microseconds from the first frame. `next()`
/// throws ``VideoError`` when the camera stops.
public struct CameraAsyncBuffers: TemporalSequence, Sendable {
  /// The values without their stamps.
  public typealias Feature = Frame
  /// The element: a stamped frame.
  public typealias Element = TemporalFeature<Frame>

  /// Always `nil`: a camera has no end.
  public var count: Int? { nil }

  private let device: String
  private let reading: LiveReading

  init(device: String, reading: LiveReading) {
    self.device = device
    self.reading = reading
  }

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator { Iterator(device: device, reading: reading) }

  /// Reads frames.
  public struct Iterator: AsyncIteratorProtocol {
    let device: String
    let reading: LiveReading

    /// The next frame; `nil` if the task is cancelled.
    public mutating func next() async throws -> TemporalFeature<Frame>? {
      while let event = await reading.next() {
        switch event {
        case .frame(let frame, let time, _):
          guard let start = AsyncFrames.ticks(time) else { continue }
          return TemporalFeature(
            id: TemporalSegmentIdentifier(
              source: device, range: start..<(start + 1000), timescale: AsyncFrames.timescale),
            feature: frame)
        case .status(let status):
          if status.state == .reconnecting || status.state == .ended {
            reading.cancel()
            throw VideoError(.sourceUnavailable, status.message)
          }
        }
      }
      return nil
    }
  }
}

extension VideoReader {
  /// Opens a camera.
  ///
  /// - Throws: ``VideoError`` if it is missing, used by another program, or sends nothing.
  public static func readCamera(
    configuration: CameraConfiguration
  ) async throws -> CameraAsyncBuffers {
    let reading = LiveVideoReader(.camera(configuration)).startReading()
    while let event = await reading.next() {
      switch event {
      case .status(let status):
        switch status.state {
        case .connecting, .stale: continue
        case .live: return CameraAsyncBuffers(device: configuration.device, reading: reading)
        case .reconnecting, .ended: throw VideoError(.sourceUnavailable, status.message)
        }
      case .frame:
        return CameraAsyncBuffers(device: configuration.device, reading: reading)
      }
    }
    throw CancellationError()
  }
}
