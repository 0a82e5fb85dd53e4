import Foundation
import Kinema
import KinemaDepth

/// Frames with the bodies of their people in three dimensions, each as soon as what follows it is known.
struct FrameLifting {
  typealias Lifted = (frame: PosedFrame, bodies: [LiftedBody?])

  private var stream: BodyLiftingStream
  private var waiting: [PosedFrame] = []

  init(_ options: DepthOptions) throws {
    stream = BodyLiftingStream(
      try BodyLifter(), stature: options.height.map { Float($0) })
  }

  /// Takes a frame; returns those whose bodies are known now.
  mutating func add(_ frame: PosedFrame) -> [Lifted] {
    stream.add(frame.poses, at: frame.time)
    waiting.append(frame)
    var ready = 0
    while ready < waiting.count, stream.isReady(waiting[ready].time, newest: frame.time) {
      ready += 1
    }
    return take(ready)
  }

  /// The frames that are left, at the end of the file.
  mutating func finish() -> [Lifted] { take(waiting.count) }

  private mutating func take(_ count: Int) -> [Lifted] {
    let taken = waiting.prefix(count).map { frame in
      // Of pictures whose shape is not known, the reader of the file warns.
      Lifted(
        frame,
        stream.bodies(of: frame.poses, at: frame.time, aspectRatio: frame.aspectRatio ?? 1))
    }
    waiting.removeFirst(count)
    return taken
  }
}

/// How bodies in three dimensions are estimated.
struct DepthOptions: OptionGroup {
  @Option("M", "The person's height in metres, for lengths (default: estimated).", 0.5...2.5)
  var height: Double?
}
