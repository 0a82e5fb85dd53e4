import CFFmpeg
public import Foundation
import KinemaFiles
import KinemaStreams

extension Frame {
  /// Reads a still image: HEIC by libheif, JPEG, PNG, WebP, BMP, TIFF and others by FFmpeg; blocks while
  /// reading.
  ///
  /// The Exif orientation is applied, transparency dropped. At most 65,535 pixels a side and 67
  /// million in total.
  ///
  /// - Throws: ``VideoError`` if the file is missing, not a still image, or damaged.
  public init(contentsOf url: URL) throws {
    try self.init(contentsOf: url, in: .shared)
  }

  /// - Parameter children: The processes that decode; `nil` for this one.
  package init(contentsOf url: URL, in children: MediaChildren?) throws {
    let decoder = try MediaChildren.open(
      url, nil, in: children, interruption: InterruptCallback())
    guard let picture = try decoder.next() else {
      throw VideoError(.damaged, "\(url.path) holds no picture: copy it again.")
    }
    self = picture.feature
  }

  /// Whether a file is a still image by its content; animations (GIF, animated PNG or WebP) are
  /// videos.
  public static func isStillPicture(at url: URL) -> Bool {
    isStillPicture(at: url, in: .shared)
  }

  /// - Parameter children: The processes that read the file; `nil` for this one.
  package static func isStillPicture(at url: URL, in children: MediaChildren?) -> Bool {
    MediaChildren.kind(of: url, in: children) == .stillPicture
  }

  /// Writes a PNG or JPEG file atomically, by the extension `.png`, `.jpg` or `.jpeg`.
  ///
  /// - Throws: ``VideoError`` for another extension or if the file cannot be written.
  public func write(to url: URL) throws {
    let coding: PictureCoding
    switch url.pathExtension.lowercased() {
    case "png": coding = .png
    case "jpg", "jpeg": coding = .jpeg
    default:
      throw VideoError(
        .unsupportedCodec,
        "\(url.path) cannot be written as a picture: end its name in .png, .jpg or .jpeg.")
    }
    let bytes: [UInt8]
    do {
      bytes = try coding.encode(self)
    } catch {
      throw VideoError(
        .cannotWrite,
        "\(url.path) cannot be encoded with \(width) × \(height) pixels (\(error)): "
          + "choose another size or format.", cause: error)
    }
    try VideoError.writing { () throws(WholeFile.Failure) in try WholeFile.write(bytes, to: url) }
  }
}

private enum PictureCoding {
  case png
  case jpeg

  /// FFmpeg's JPEG quality, from 2, the best, to 31.
  private static let jpegQuality: Int32 = 2

  private var codec: AVCodecID { self == .png ? AV_CODEC_ID_PNG : AV_CODEC_ID_MJPEG }
  private var pixelFormat: AVPixelFormat { self == .png ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_YUVJ444P }

  func encode(_ frame: Frame) throws(FFmpegError) -> [UInt8] {
    guard let encoder = avcodec_find_encoder(codec) else {
      throw FFmpegError(code: FFmpegError.encoderNotFound)
    }
    var context = avcodec_alloc_context3(encoder)
    var picture = av_frame_alloc()
    var packet = av_packet_alloc()
    defer {
      avcodec_free_context(&context)
      av_frame_free(&picture)
      av_packet_free(&packet)
    }
    guard let context, let picture, let packet else {
      throw FFmpegError(code: FFmpegError.outOfMemory)
    }
    context.pointee.width = Int32(clamping: frame.width)
    context.pointee.height = Int32(clamping: frame.height)
    context.pointee.pix_fmt = pixelFormat
    context.pointee.time_base = AVRational(num: 1, den: 1)
    context.pointee.thread_count = 1
    if self == .jpeg {
      context.pointee.flags |= AV_CODEC_FLAG_QSCALE
      context.pointee.global_quality = FF_QP2LAMBDA * Self.jpegQuality
    }
    try checked(avcodec_open2(context, encoder, nil))
    picture.pointee.width = context.pointee.width
    picture.pointee.height = context.pointee.height
    picture.pointee.format = pixelFormat.rawValue
    picture.pointee.quality = context.pointee.global_quality
    try checked(av_frame_get_buffer(picture, 0))
    try PictureScaler().convert(frame, to: picture)
    try checked(avcodec_send_frame(context, picture))
    try checked(avcodec_send_frame(context, nil))
    try checked(avcodec_receive_packet(context, packet))
    return Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
  }
}
