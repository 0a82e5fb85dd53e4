import CFFmpeg
import Glibc

extension UnsafeMutablePointer<AVFormatContext> {
  var streams: [UnsafeMutablePointer<AVStream>] {
    (0..<Int(pointee.nb_streams)).compactMap { pointee.streams[$0] }
  }

  /// Discards the packets of all other streams.
  func read(only stream: UnsafeMutablePointer<AVStream>?) {
    for other in streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
  }

  /// Finds the streams, by decoders with the limits of the one that reads them; FFmpeg's status.
  func findStreams(limits: VideoDecoder.Limits) -> Int32 {
    var options: [OpaquePointer?] = streams.map { stream in
      PNGChunks.cleanHeader(of: stream)
      let parameters = stream.pointee.codecpar.pointee
      let pixelCount = Int64(parameters.width) * Int64(parameters.height)
      var dictionary: OpaquePointer?
      av_dict_set_int(
        &dictionary, "max_pixels", pixelCount > 0 ? limits.pixelCount : limits.unknownPixelCount, 0)
      // Of large pictures, no more than one is held here.
      if pixelCount > limits.unknownPixelCount {
        av_dict_set(&dictionary, "skip_frame", "nokey", 0)
      }
      av_dict_set_int(&dictionary, "threads", 1, 0)
      return dictionary
    }
    defer { for index in options.indices { av_dict_free(&options[index]) } }
    // Streams that appear later have no options here.
    return options.isEmpty
      ? avformat_find_stream_info(self, nil) : avformat_find_stream_info(self, &options)
  }
}

extension AVRational {
  static let microseconds = AVRational(num: 1, den: 1_000_000)
}

enum StreamCodec {
  /// Opens a decoder for a stream; the caller frees it, before its budget.
  static func open(
    _ decoder: UnsafePointer<AVCodec>, for stream: UnsafeMutablePointer<AVStream>,
    maximumPixelCount: Int64, budget: PictureBudget
  ) throws(FFmpegError) -> UnsafeMutablePointer<AVCodecContext> {
    var codec = avcodec_alloc_context3(decoder)
    do throws(FFmpegError) {
      guard let codec else { throw FFmpegError(code: FFmpegError.outOfMemory) }
      try checked(avcodec_parameters_to_context(codec, stream.pointee.codecpar))
      codec.pointee.pkt_timebase = stream.pointee.time_base
      // One thread costs the least processor time; files and segments are parallel instead.
      codec.pointee.thread_count = 1
      codec.pointee.max_pixels = maximumPixelCount
      budget.count(codec)
      try checked(avcodec_open2(codec, decoder, nil))
      return codec
    } catch {
      avcodec_free_context(&codec)
      throw error
    }
  }
}
