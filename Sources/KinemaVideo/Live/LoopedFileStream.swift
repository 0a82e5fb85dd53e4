import Foundation
import KinemaStreams

struct LoopedFileStream: LiveFrameStream {
  let isPaced = true
  private let url: URL
  private let interruption: InterruptCallback
  private let gate: (any PictureGate)?
  private var decoder: any FrameDecoder
  /// Start of the current loop and end of the last frame, in seconds.
  private var start = 0.0
  private var end = 0.0

  init(
    url: URL, interruption: InterruptCallback, gate: (any PictureGate)? = nil
  ) throws(PermanentFailure) {
    self.url = url
    self.interruption = interruption
    self.gate = gate
    decoder = try Self.open(url, interruption)
  }

  private static func open(
    _ url: URL, _ interruption: InterruptCallback
  ) throws(PermanentFailure) -> any FrameDecoder {
    try orForGood { () throws(VideoError) in
      try MediaChildren.open(url, .whole, in: .shared, interruption: interruption)
    }
  }

  mutating func next() throws -> (frame: Frame, stamp: TimeInterval?)? {
    while !interruption.isCancelled {
      let current = decoder
      if let picture = try orForGood({ () throws(VideoError) in try current.next() }) {
        let range = picture.id.rangeInSeconds
        end = start + range.upperBound
        let isWanted = gate?.wants(at: start + range.lowerBound) { LumaGrid(of: picture.feature) }
        guard isWanted ?? true else { continue }
        return (picture.feature, start + range.lowerBound)
      }
      guard !interruption.isCancelled else { break }
      start = end
      decoder = try Self.open(url, interruption)
    }
    return nil
  }
}
