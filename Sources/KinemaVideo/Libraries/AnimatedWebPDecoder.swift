import CWebP
import Foundation
import Glibc
import KinemaStreams

/// Decodes the frames of an animated WebP by libwebp, once; for one thread at a time.
///
/// Each frame is the whole canvas. Transparency is dropped, as of all pictures: what nothing is drawn on is
/// black.
final class AnimatedWebPDecoder: FrameDecoder, @unchecked Sendable {
  /// The file is in memory; an animation of the largest size that is decoded as a video is smaller.
  private static let largestFile = 512 << 20
  /// libwebp finds a frame by counting, so the time for all grows with the square of their number.
  private static let largestFrameCount = 1 << 16
  /// Frames of up to 10 ms are shown for 100, as browsers do (Chromium, `DeferredImageDecoder`).
  private static let shortestMilliseconds: Int32 = 10
  private static let standInMilliseconds: Int32 = 100

  let url: URL
  let interruption: InterruptCallback
  let description: TrackDescription
  private(set) var damage = DamageReport()
  /// The file, which the decoder reads.
  private let bytes: UnsafeMutableRawBufferPointer
  private let decoder: OpaquePointer
  private let pool = PixelBufferPool(capacity: 6)
  /// In ticks.
  private let durations: [Int]
  private var index = 0
  private var time = 0
  private var isAtEnd = false

  /// - Throws: ``VideoError`` where the file is damaged or above the limits of videos.
  init(opening url: URL, interruption: InterruptCallback) throws(VideoError) {
    let bytes = try Self.content(of: url)
    do throws(VideoError) {
      var data = WebPData(
        bytes: bytes.assumingMemoryBound(to: UInt8.self).baseAddress, size: bytes.count)
      let (width, height, durations) = try Self.properties(of: &data, url)
      var options = WebPAnimDecoderOptions()
      guard WebPAnimDecoderOptionsInit(&options) != 0 else {
        throw VideoError(.outOfResources, MessageText("noMemory"))
      }
      options.color_mode = MODE_RGBA
      options.use_threads = 0
      guard let decoder = WebPAnimDecoderNew(&data, &options) else {
        throw .nothingDecoded(at: url)
      }
      (self.url, self.interruption, self.bytes) = (url, interruption, bytes)
      (self.decoder, self.durations) = (decoder, durations)
      let seconds = Double(durations.reduce(0, +)) / Double(AsyncFrames.timescale)
      description = TrackDescription(
        width: width, height: height, nominalFrameRate: Double(durations.count) / seconds,
        duration: seconds, frameCount: durations.count)
    } catch {
      bytes.deallocate()
      throw error
    }
  }

  deinit {
    WebPAnimDecoderDelete(decoder)
    bytes.deallocate()
  }

  func next(from time: Int) throws(VideoError) -> TemporalFeature<Frame>? {
    while !isAtEnd, !interruption.isCancelled {
      guard durations.indices.contains(index), WebPAnimDecoderHasMoreFrames(decoder) != 0 else {
        isAtEnd = true
        return nil
      }
      var pixels: UnsafeMutablePointer<UInt8>?
      var end: Int32 = 0
      guard WebPAnimDecoderGetNext(decoder, &pixels, &end) != 0, let pixels else {
        isAtEnd = true
        if index == 0 { throw .nothingDecoded(at: url) }
        damage.noteEarlyEnd()
        return nil
      }
      let range = self.time..<(self.time + durations[index])
      index += 1
      self.time = range.upperBound
      guard range.lowerBound >= time else { continue }
      let (width, height) = (description.width, description.height)
      let buffer = PixelBuffer(byteCount: 4 * width * height, pool: pool)
      buffer.bytes.copyMemory(
        from: UnsafeRawBufferPointer(start: pixels, count: buffer.bytes.count))
      return TemporalFeature(
        id: TemporalSegmentIdentifier(
          source: url.absoluteURL.path, range: range, timescale: AsyncFrames.timescale),
        feature: Frame(width: width, height: height, buffer: buffer))
    }
    return nil
  }

  /// Reads, and does not map the file: its owner may cut it off meanwhile.
  private static func content(of url: URL) throws(VideoError) -> UnsafeMutableRawBufferPointer {
    let unreadable = VideoError(.unreadableFile, MessageText("unreadableFile", ["file": url.path]))
    // It could be read a moment before.
    guard let file = try? FileHandle(forReadingFrom: url) else { throw unreadable }
    // Nothing was written.
    defer { try? file.close() }
    var status = stat()
    guard fstat(file.fileDescriptor, &status) == 0 else { throw unreadable }
    guard (1...Self.largestFile).contains(Int(status.st_size)) else {
      throw VideoError(
        .tooLarge,
        MessageText(
          "largeAnimation", ["file": url.path, "megabytes": Self.largestFile >> 20]))
    }
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(status.st_size), alignment: 16)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.read(
        file.fileDescriptor, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        bytes.deallocate()
        throw count < 0
          ? unreadable : VideoError(.damaged, MessageText("changedFile", ["file": url.path]))
      }
      rest = rest.dropFirst(count)
    }
    return bytes
  }

  /// The canvas, and how long each frame is shown, in ticks.
  private static func properties(
    of data: inout WebPData, _ url: URL
  ) throws(VideoError) -> (width: Int, height: Int, durations: [Int]) {
    guard let demuxer = WebPDemux(&data) else { throw .nothingDecoded(at: url) }
    defer { WebPDemuxDelete(demuxer) }
    let width = Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH))
    let height = Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT))
    let limits = VideoDecoder.Limits.video
    guard width > 0, height > 0 else { throw .nothingDecoded(at: url) }
    guard max(width, height) <= Int(limits.side), width * height <= Int(limits.pixelCount) else {
      throw .tooLarge(url, width: width, height: height, limits)
    }
    guard WebPDemuxGetI(demuxer, WEBP_FF_FRAME_COUNT) <= Self.largestFrameCount else {
      throw VideoError(
        .tooLarge,
        MessageText(
          "longAnimation", ["file": url.path, "frames": Self.largestFrameCount]))
    }
    var frame = WebPIterator()
    defer { WebPDemuxReleaseIterator(&frame) }
    var durations: [Int] = []
    var isThere = WebPDemuxGetFrame(demuxer, 1, &frame) != 0
    while isThere {
      let shown =
        frame.duration > Self.shortestMilliseconds ? frame.duration : Self.standInMilliseconds
      durations.append(Int(shown) * AsyncFrames.timescale / 1000)
      isThere = WebPDemuxNextFrame(&frame) != 0
    }
    guard !durations.isEmpty else { throw .nothingDecoded(at: url) }
    return (width, height, durations)
  }
}
