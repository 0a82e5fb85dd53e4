import CFFmpeg

/// Leaves out of PNG data what unpacks to any size and is no picture: texts and colour profiles (PNG,
/// third edition, section 11.3).
enum PNGChunks {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Ancillary chunks that the decoder needs; none is compressed but frames of animations.
  private static let needed: Set<String> = [
    "tRNS", "pHYs", "acTL", "fcTL", "fdAT", "gAMA", "cHRM", "sRGB",
  ]

  /// Cleans a packet of a stream before it is decoded; FFmpeg's status.
  static func clean(
    _ packet: UnsafeMutablePointer<AVPacket>, of stream: UnsafePointer<AVStream>
  ) -> Int32 {
    guard isPNG(stream), packet.pointee.size > 0 else { return 0 }
    let status = av_packet_make_writable(packet)
    guard status >= 0, let data = packet.pointee.data else { return status }
    av_shrink_packet(packet, Int32(clean(data, count: Int(packet.pointee.size))))
    return 0
  }

  /// Cleans what a file says for all packets of a stream.
  static func cleanHeader(of stream: UnsafePointer<AVStream>) {
    guard isPNG(stream), let parameters = stream.pointee.codecpar,
      let data = parameters.pointee.extradata
    else { return }
    let count = clean(data, count: Int(parameters.pointee.extradata_size))
    parameters.pointee.extradata_size = Int32(count)
  }

  private static func isPNG(_ stream: UnsafePointer<AVStream>) -> Bool {
    let codec = stream.pointee.codecpar.pointee.codec_id
    return codec == AV_CODEC_ID_PNG || codec == AV_CODEC_ID_APNG
  }

  /// Moves the chunks that stay together; how many bytes they have.
  private static func clean(_ data: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
    let hasSignature =
      count >= signature.count && signature.indices.allSatisfy { data[$0] == signature[$0] }
    var source = hasSignature ? signature.count : 0
    var target = source
    // Length, kind, content and checksum.
    while source + 12 <= count {
      let length = (0..<4).reduce(0) { $0 << 8 | Int(data[source + $1]) }
      let kind = String(
        decoding: UnsafeBufferPointer(start: data + source + 4, count: 4), as: UTF8.self)
      let size = min(length + 12, count - source)
      // A critical chunk has a capital letter in front.
      if kind.first?.isUppercase == true || needed.contains(kind) {
        (data + target).update(from: data + source, count: size)
        target += size
      }
      source += size
    }
    return target
  }
}
