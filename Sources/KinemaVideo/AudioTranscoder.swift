import CFFmpeg

/// Transcodes audio packets of any codec to AAC; gaps become silence.
final class AudioTranscoder {
  private(set) var encoder: UnsafeMutablePointer<AVCodecContext>?
  private var decoder: UnsafeMutablePointer<AVCodecContext>?
  private var resampler: OpaquePointer?
  private var samples: OpaquePointer?
  private var decoded = av_frame_alloc()
  private var chunk = av_frame_alloc()
  /// The time of the end of ``samples``, in samples.
  private var endOfSamples: Int64?
  private(set) var isFinishing = false
  private(set) var isFinished = false
  private var hasFlushed = false
  private let streamTimeBase: AVRational

  /// One tick per sample.
  let timeBase: AVRational

  /// Opens a decoder for a stream and an encoder with its rate, in mono or stereo.
  init(stream: UnsafeMutablePointer<AVStream>) throws(FFmpegError) {
    let parameters = stream.pointee.codecpar.pointee
    streamTimeBase = stream.pointee.time_base
    // Rates that AAC supports; others become 48 kHz.
    let rate: Int32 =
      [44_100, 48_000, 32_000, 24_000, 22_050, 16_000].contains(parameters.sample_rate)
      ? parameters.sample_rate : 48_000
    timeBase = AVRational(num: 1, den: rate)
    guard let source = avcodec_find_decoder(parameters.codec_id),
      let aac = avcodec_find_encoder(AV_CODEC_ID_AAC)
    else { throw FFmpegError(code: FFmpegError.encoderNotFound) }
    decoder = avcodec_alloc_context3(source)
    encoder = avcodec_alloc_context3(aac)
    guard let decoder, let encoder, decoded != nil, chunk != nil else {
      throw FFmpegError(code: FFmpegError.outOfMemory)
    }
    try checked(avcodec_parameters_to_context(decoder, stream.pointee.codecpar))
    decoder.pointee.pkt_timebase = streamTimeBase
    decoder.pointee.thread_count = 1
    try checked(avcodec_open2(decoder, source, nil))

    let channelCount: Int32 = parameters.ch_layout.nb_channels == 1 ? 1 : 2
    av_channel_layout_default(&encoder.pointee.ch_layout, channelCount)
    encoder.pointee.sample_rate = rate
    encoder.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
    encoder.pointee.bit_rate = 64_000 * Int64(channelCount)
    encoder.pointee.time_base = timeBase
    encoder.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    try checked(avcodec_open2(encoder, aac, nil))
    samples = av_audio_fifo_alloc(AV_SAMPLE_FMT_FLTP, channelCount, 4096)
    guard samples != nil else { throw FFmpegError(code: FFmpegError.outOfMemory) }
  }

  deinit {
    avcodec_free_context(&decoder)
    avcodec_free_context(&encoder)
    swr_free(&resampler)
    if let samples { av_audio_fifo_free(samples) }
    av_frame_free(&decoded)
    av_frame_free(&chunk)
  }

  /// Decodes a packet; undecodable audio becomes silence.
  func send(_ packet: UnsafeMutablePointer<AVPacket>?) {
    guard avcodec_send_packet(decoder, packet) >= 0, let decoded else { return }
    while avcodec_receive_frame(decoder, decoded) >= 0 {
      append(decoded)
      av_frame_unref(decoded)
    }
  }

  func finish() throws(FFmpegError) {
    send(nil)
    isFinishing = true
  }

  /// Encodes samples; `false` if more packets are needed.
  func receive(into packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Bool {
    while true {
      let status = avcodec_receive_packet(encoder, packet)
      if status == FFmpegError.endOfFile {
        isFinished = true
        return false
      }
      if status != FFmpegError.tryAgain {
        try checked(status)
        return true
      }
      guard try encodeChunk() else { return false }
    }
  }

  private func append(_ frame: UnsafeMutablePointer<AVFrame>) {
    guard let encoder, prepareResampler(for: frame) else { return }
    let rate = Int64(encoder.pointee.sample_rate)
    let start =
      frame.pointee.best_effort_timestamp == kinema_AV_NOPTS_VALUE
      ? endOfSamples ?? 0
      : av_rescale_q(frame.pointee.best_effort_timestamp, streamTimeBase, timeBase)
    if let end = endOfSamples {
      // Gaps of up to ten minutes are filled; more is a damaged time stamp.
      if start > end + rate / 20 && start < end + 600 * rate { appendSilence(start - end) }
    } else {
      endOfSamples = start
    }

    let capacity = swr_get_out_samples(resampler, frame.pointee.nb_samples)
    guard capacity > 0, let chunk, makeRoom(in: chunk, sampleCount: capacity) else { return }
    defer { av_frame_unref(chunk) }
    let count = withPlanes(of: frame) { input in
      swr_convert(resampler, chunk.pointee.extended_data, capacity, input, frame.pointee.nb_samples)
    }
    if count > 0 { store(chunk, sampleCount: count) }
  }

  private func withPlanes<R>(
    of frame: UnsafeMutablePointer<AVFrame>,
    _ body: (UnsafeMutablePointer<UnsafePointer<UInt8>?>?) -> R
  ) -> R {
    guard let planes = frame.pointee.extended_data else { return body(nil) }
    return UnsafeMutableRawPointer(planes).withMemoryRebound(
      to: UnsafePointer<UInt8>?.self, capacity: 1
    ) { body($0) }
  }

  private func appendSilence(_ count: Int64) {
    guard let encoder, let chunk else { return }
    var left = count
    while left > 0 {
      let length = Int32(min(left, 4096))
      guard makeRoom(in: chunk, sampleCount: length) else { return }
      av_samples_set_silence(
        chunk.pointee.extended_data, 0, length, encoder.pointee.ch_layout.nb_channels,
        AV_SAMPLE_FMT_FLTP)
      store(chunk, sampleCount: length)
      av_frame_unref(chunk)
      left -= Int64(length)
    }
  }

  private func store(_ chunk: UnsafeMutablePointer<AVFrame>, sampleCount: Int32) {
    let stored = chunk.pointee.extended_data.withMemoryRebound(
      to: UnsafeMutableRawPointer?.self, capacity: 1
    ) { av_audio_fifo_write(samples, $0, sampleCount) }
    if stored > 0 { endOfSamples = (endOfSamples ?? 0) + Int64(stored) }
  }

  private func makeRoom(in chunk: UnsafeMutablePointer<AVFrame>, sampleCount: Int32) -> Bool {
    guard let encoder else { return false }
    chunk.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
    chunk.pointee.nb_samples = sampleCount
    chunk.pointee.sample_rate = encoder.pointee.sample_rate
    return av_channel_layout_copy(&chunk.pointee.ch_layout, &encoder.pointee.ch_layout) >= 0
      && av_frame_get_buffer(chunk, 0) >= 0
  }

  private func prepareResampler(for frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    if resampler != nil { return true }
    guard let encoder else { return false }
    if frame.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
      av_channel_layout_default(&frame.pointee.ch_layout, frame.pointee.ch_layout.nb_channels)
    }
    let status = swr_alloc_set_opts2(
      &resampler, &encoder.pointee.ch_layout, AV_SAMPLE_FMT_FLTP, encoder.pointee.sample_rate,
      &frame.pointee.ch_layout, AVSampleFormat(rawValue: frame.pointee.format),
      frame.pointee.sample_rate, 0, nil)
    if status >= 0 && swr_init(resampler) >= 0 { return true }
    swr_free(&resampler)
    return false
  }

  /// Passes the next samples to the encoder; `false` if there are too few.
  private func encodeChunk() throws(FFmpegError) -> Bool {
    guard let encoder, let chunk else { return false }
    let available = av_audio_fifo_size(samples)
    let wanted = encoder.pointee.frame_size
    if available < wanted && !isFinishing { return false }
    if available == 0 {
      if !hasFlushed {
        hasFlushed = true
        try checked(avcodec_send_frame(encoder, nil))
      }
      return true
    }
    let length = min(available, wanted)
    guard makeRoom(in: chunk, sampleCount: length) else {
      throw FFmpegError(code: FFmpegError.outOfMemory)
    }
    defer { av_frame_unref(chunk) }
    chunk.pointee.pts = (endOfSamples ?? 0) - Int64(available)
    _ = chunk.pointee.extended_data.withMemoryRebound(
      to: UnsafeMutableRawPointer?.self, capacity: 1
    ) { av_audio_fifo_read(samples, $0, length) }
    try checked(avcodec_send_frame(encoder, chunk))
    return true
  }
}
