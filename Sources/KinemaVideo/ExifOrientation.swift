import CFFmpeg
import Foundation

extension Orientation {
  /// The orientation of a decoded still image; FFmpeg reports the tags of JPEG and
  /// WebP, not those of PNG and TIFF.
  init(ofStillPicture picture: UnsafePointer<AVFrame>, at url: URL) {
    if let entry = av_dict_get(picture.pointee.metadata, "Orientation", nil, 0) {
      let text = String(cString: entry.pointee.value).trimmingCharacters(in: .whitespaces)
      self = Int(text).flatMap(Orientation.init(exifValue:)) ?? .upright
    } else {
      self = Self.ofPNG(at: url) ?? Self.ofTIFF(at: url) ?? .upright
    }
  }

  /// The orientation in a PNG file's `eXIf` chunk (PNG, third edition, section 11.3.3.7) before its
  /// pixels.
  private static func ofPNG(at url: URL) -> Orientation? {
    guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? file.close() }
    func read(_ count: Int) -> [UInt8]? {
      guard let data = try? file.read(upToCount: count), data.count == count else { return nil }
      return [UInt8](data)
    }
    guard read(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else { return nil }
    let maximumChunkCount = 1000
    for _ in 0..<maximumChunkCount {
      guard let header = read(8) else { return nil }
      let length = header[..<4].reduce(0) { $0 << 8 | Int($1) }
      switch Array(header[4...]) {
      case Array("eXIf".utf8):
        // The tag is in the first directory, at the start.
        return read(min(length, 65_536)).flatMap { Orientation(exif: $0) }
      case Array("IDAT".utf8), Array("IEND".utf8):
        return nil
      default:
        guard let offset = try? file.offset(),
          (try? file.seek(toOffset: offset + UInt64(length) + 4)) != nil
        else { return nil }
      }
    }
    return nil
  }

  /// Reads tag 0x0112 of the first directory of a TIFF structure.
  init?(exif bytes: [UInt8]) {
    let isLittleEndian = bytes.starts(with: [0x49, 0x49, 42, 0])
    guard isLittleEndian || bytes.starts(with: [0x4D, 0x4D, 0, 42]) else { return nil }
    func number(at offset: Int, byteCount: Int) -> Int? {
      guard offset >= 0, offset + byteCount <= bytes.count else { return nil }
      let digits = bytes[offset..<(offset + byteCount)]
      return isLittleEndian
        ? digits.reversed().reduce(0) { $0 << 8 | Int($1) }
        : digits.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(at: 4, byteCount: 4),
      let entryCount = number(at: directory, byteCount: 2)
    else { return nil }
    for index in 0..<entryCount {
      let entry = directory + 2 + index * 12
      guard let tag = number(at: entry, byteCount: 2) else { return nil }
      if tag == 0x0112 {
        guard let value = number(at: entry + 8, byteCount: 2) else { return nil }
        self.init(exifValue: value)
        return
      }
    }
    return nil
  }
}
