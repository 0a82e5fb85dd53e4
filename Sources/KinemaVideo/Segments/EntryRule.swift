import CFFmpeg

/// Detects keyframes that reset the decoder, so that decoding can start there.
///
/// Containers also mark recovery points (H.264) and clean random access (H.265) as keyframes.
enum EntryRule {
  /// Every packet that the container marks.
  case everyKeyFrame
  /// Packets with a unit of one of the types; each unit follows its length in this number of bytes.
  case units(lengthSize: Int, isHEVC: Bool)

  /// The rule for a stream; `nil` if unknown.
  init?(_ parameters: UnsafePointer<AVCodecParameters>) {
    let extra = UnsafeBufferPointer(
      start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
    // ISO/IEC 14496-15, AVCDecoderConfigurationRecord and HEVCDecoderConfigurationRecord: the lower
    // two bits of bytes 4 and 21 are one less than the size of a length.
    switch parameters.pointee.codec_id {
    case AV_CODEC_ID_H264 where extra.count > 6 && extra[0] == 1:
      self = .units(lengthSize: Int(extra[4] & 3) + 1, isHEVC: false)
    case AV_CODEC_ID_HEVC where extra.count > 22 && extra[0] == 1:
      self = .units(lengthSize: Int(extra[21] & 3) + 1, isHEVC: true)
    case AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1: self = .everyKeyFrame
    default: return nil
    }
  }

  func resetsDecoder(_ packet: UnsafePointer<AVPacket>) -> Bool {
    guard case .units(let lengthSize, let isHEVC) = self else { return true }
    let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
    var place = 0
    while place + lengthSize < bytes.count {
      let length = bytes[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      let head = bytes[place + lengthSize]
      // H.264: 5 is a slice of an IDR picture. H.265: 19 and 20 are those of IDR pictures.
      if isHEVC ? (19...20).contains(head >> 1 & 63) : head & 31 == 5 { return true }
      guard length > 0 else { return false }
      place += lengthSize + length
    }
    return false
  }
}
