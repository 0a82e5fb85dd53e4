import Foundation

/// A format of pictures that FFmpeg does not decode, and a library of its own does.
///
/// FFmpeg 5.1 reads HEIC as an MP4 file without an index, FFmpeg 7 as one video for each tile; neither
/// decodes animated WebP.
enum LibraryFormat {
  /// A still picture in HEVC (ISO/IEC 23008-12).
  case heic
  /// WebP with frames (RFC 9649, section 2.7.1.1).
  case animatedWebP

  /// The brands of files whose primary item is a picture in HEVC (ISO/IEC 23008-12, annex B); sequences,
  /// `hevc` and `msf1`, are videos with an index, which FFmpeg reads.
  private static let pictureBrands: Set<String> = ["heic", "heix", "heim", "heis"]
  /// The brand of pictures in any codec; another one of the list says which.
  private static let anyPicture = "mif1"
  /// How many brands of a list are read; phones write up to ten.
  private static let brandCount = 32

  /// The format of a file by its first bytes; `nil` where FFmpeg reads it, or nobody.
  init?(contentsOf url: URL) {
    // A file that cannot be read is reported where it is opened.
    guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
    // Nothing was written.
    defer { try? file.close() }
    // As above.
    guard let head = try? file.read(upToCount: 16 + 4 * Self.brandCount), head.count >= 16 else {
      return nil
    }
    self.init([UInt8](head))
  }

  private init?(_ head: [UInt8]) {
    if head[4..<8].elementsEqual("ftyp".utf8) {
      let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      let brands = stride(from: 16, to: min(size, head.count) - 3, by: 4).map {
        String(decoding: head[$0..<$0 + 4], as: UTF8.self)
      }
      let major = String(decoding: head[8..<12], as: UTF8.self)
      guard
        Self.pictureBrands.contains(major)
          || major == Self.anyPicture && !Self.pictureBrands.isDisjoint(with: brands)
      else { return nil }
      self = .heic
    } else {
      let hasAnimation: UInt8 = 2
      guard head.count > 20, head[..<4].elementsEqual("RIFF".utf8),
        head[8..<16].elementsEqual("WEBPVP8X".utf8), head[20] & hasAnimation != 0
      else { return nil }
      self = .animatedWebP
    }
  }

  var kind: MediaKind {
    switch self {
    case .heic: .stillPicture
    case .animatedWebP: .video
    }
  }
}

/// Opens the decoder of a file, FFmpeg's or that of a ``LibraryFormat``.
enum MediaDecoder {
  /// - Parameters:
  ///   - kind: What the file must be.
  ///   - segment: The part of a video; ``VideoSegmenter`` does not split those of a ``LibraryFormat``.
  static func open(
    _ url: URL, as kind: MediaKind, segment: VideoSegment = .whole, interruption: InterruptCallback
  ) throws(VideoError) -> any FrameDecoder {
    guard let format = LibraryFormat(contentsOf: url) else {
      return try VideoDecoder(opening: url, as: kind, segment: segment, interruption: interruption)
    }
    try MediaFile.checkIsReadable(url)
    guard format.kind == kind else { throw MediaFile.unexpected(format.kind, url) }
    switch format {
    case .heic: return try HEICDecoder(opening: url, interruption: interruption)
    case .animatedWebP: return try AnimatedWebPDecoder(opening: url, interruption: interruption)
    }
  }
}
