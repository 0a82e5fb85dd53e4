import CHeif
import Foundation
import KinemaStreams

/// Decodes the primary picture of a HEIC file by libheif; for one thread at a time.
///
/// libheif puts tiles together, applies the rotation, reflection and crop of the file (`irot`, `imir` and
/// `clap`, ISO/IEC 23008-12, section 6.5; an Exif orientation beside them only repeats them) and reduces
/// ten bits to eight. Transparency is dropped, as of all pictures.
final class HEICDecoder: FrameDecoder, @unchecked Sendable {
  /// The side of a square of the largest number of pixels, by which libheif limits what it allocates.
  private static let limitingSide: Int32 = 8192

  let url: URL
  let interruption: InterruptCallback
  let description: TrackDescription
  let damage = DamageReport()
  private let functions: heif_functions
  private let context: OpaquePointer
  private let handle: OpaquePointer
  private var isAtEnd = false

  /// - Throws: ``VideoError`` where libheif is missing, or the file holds no picture or too large a one.
  init(opening url: URL, interruption: InterruptCallback) throws(VideoError) {
    guard let library = HEICLibrary.shared else {
      throw VideoError(.unsupportedCodec, MessageText("noHEICDecoder", ["file": url.path]))
    }
    functions = library.functions
    guard let context = functions.context_alloc() else {
      throw VideoError(.outOfResources, MessageText("noMemory"))
    }
    functions.context_set_maximum_image_size_limit(context, Self.limitingSide)
    // Files are parallel instead.
    functions.context_set_max_decoding_threads(context, 0)
    var handle: OpaquePointer?
    var error = functions.context_read_from_file(context, url.path, nil)
    if error.code == 0 {
      error = functions.context_get_primary_image_handle(context, &handle)
    }
    guard error.code == 0, let handle else {
      let failure = Self.failure(url, error)
      functions.context_free(context)
      throw failure
    }
    (self.url, self.interruption, self.context, self.handle) = (url, interruption, context, handle)
    description = TrackDescription(
      width: Int(functions.image_handle_get_width(handle)),
      height: Int(functions.image_handle_get_height(handle)),
      nominalFrameRate: 0, duration: nil, frameCount: 1)
    guard description.width > 0, description.height > 0 else { throw .nothingDecoded(at: url) }
    let limits = VideoDecoder.Limits.stillPicture
    guard max(description.width, description.height) <= Int(limits.side),
      description.width * description.height <= Int(limits.pixelCount)
    else {
      throw .tooLarge(
        url, width: description.width, height: description.height, limits)
    }
  }

  deinit {
    functions.image_handle_release(handle)
    functions.context_free(context)
  }

  func next(from time: Int) throws(VideoError) -> TemporalFeature<Frame>? {
    guard !isAtEnd, !interruption.isCancelled else { return nil }
    isAtEnd = true
    var image: OpaquePointer?
    let error = functions.decode_image(
      handle, &image, Int32(kinema_heif_rgb), Int32(kinema_heif_rgba), nil)
    guard error.code == 0, let image else { throw Self.failure(url, error) }
    defer { functions.image_release(image) }
    let channel = Int32(kinema_heif_interleaved)
    var stride: Int32 = 0
    let width = Int(functions.image_get_width(image, channel))
    let height = Int(functions.image_get_height(image, channel))
    guard let plane = functions.image_get_plane_readonly(image, channel, &stride),
      (width, height) == (description.width, description.height), Int(stride) >= 4 * width
    else { throw .nothingDecoded(at: url) }
    let buffer = PixelBuffer(byteCount: 4 * width * height)
    for row in 0..<height {
      UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[(4 * width * row)...]).copyMemory(
        from: UnsafeRawBufferPointer(start: plane + row * Int(stride), count: 4 * width))
    }
    return TemporalFeature(
      id: TemporalSegmentIdentifier(
        source: url.absoluteURL.path, range: 0..<1, timescale: AsyncFrames.timescale),
      feature: Frame(width: width, height: height, buffer: buffer))
  }

  private static func failure(_ url: URL, _ error: heif_error) -> VideoError {
    let reason =
      error.message.map { String(cString: $0).trimmingCharacters(in: .whitespacesAndNewlines) }
      ?? "error \(error.code)"
    return error.code == Int32(kinema_heif_memory_error)
      ? VideoError(.tooLarge, MessageText("largeHEIC", ["file": url.path, "reason": reason]))
      : VideoError(.damaged, MessageText("damagedHEIC", ["file": url.path, "reason": reason]))
  }
}
