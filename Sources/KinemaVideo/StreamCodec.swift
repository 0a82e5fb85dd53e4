import CFFmpeg
import Glibc

enum StreamCodec {
  /// Opens a decoder for a stream; the caller frees it.
  static func open(
    _ decoder: UnsafePointer<AVCodec>, for stream: UnsafeMutablePointer<AVStream>,
    maximumPixelCount: Int64
  ) throws(FFmpegError) -> UnsafeMutablePointer<AVCodecContext> {
    var codec = avcodec_alloc_context3(decoder)
    do throws(FFmpegError) {
      guard let codec else { throw FFmpegError(code: FFmpegError.outOfMemory) }
      try checked(avcodec_parameters_to_context(codec, stream.pointee.codecpar))
      codec.pointee.pkt_timebase = stream.pointee.time_base
      // One thread costs the least processor time; files and segments are parallel instead.
      codec.pointee.thread_count = 1
      codec.pointee.max_pixels = maximumPixelCount
      try checked(avcodec_open2(codec, decoder, nil))
      return codec
    } catch {
      avcodec_free_context(&codec)
      throw error
    }
  }
}
