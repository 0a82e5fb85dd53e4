import CFFmpeg
import Foundation
import Glibc

/// An open media file and its streams; for one thread at a time.
final class MediaFile {
  let url: URL
  let context: UnsafeMutablePointer<AVFormatContext>
  let kind: MediaKind
  private let interruption: InterruptCallback

  /// Time limit of opening a file, in seconds.
  static let openingSeconds = 20.0

  /// Opens a file and finds its streams.
  ///
  /// - Parameter interruption: Stops reading when cancelled; the deadline is the file's.
  init(
    opening url: URL, as kinds: [MediaKind], limits: VideoDecoder.Limits,
    interruption: InterruptCallback
  ) throws(VideoError) {
    FFmpegLog.silence()
    _ = ForeignMedia.preparation
    try Self.checkIsReadable(url)
    if let format = LibraryFormat(contentsOf: url) { throw Self.unexpected(format.kind, url) }
    interruption.setDeadline(secondsFromNow: Self.openingSeconds)
    defer { interruption.setDeadline(secondsFromNow: nil) }

    let opened = FFmpegLog.collectingErrors {
      Result { () throws(FFmpegError) in
        try Self.open(url, kinds: kinds, interruption: interruption)
      }
    }
    switch opened.result {
    case .success(let (context, kind)):
      self.url = url
      self.context = context
      self.kind = kind
      self.interruption = interruption
    case .failure(let error):
      throw Self.openingError(url, error, lastError: opened.lastError, interruption: interruption)
    }
    guard kinds.contains(kind) else { throw Self.unexpected(kind, url) }

    let status = FFmpegLog.collectingErrors {
      context.findStreams(limits: limits)
    }
    if status.result < 0 {
      throw Self.openingError(
        url, FFmpegError(code: status.result), lastError: status.lastError,
        interruption: interruption)
    }
    if interruption.isPastDeadline {
      throw Self.openingError(
        url, FFmpegError(code: FFmpegError.exit), lastError: nil, interruption: interruption)
    }
  }

  deinit { Self.close(context) }

  /// Why the system could not read the file, as where a disk or a network fails; `nil` where it could.
  ///
  /// FFmpeg's readers take that for the end of the file or for damage.
  var readingFailure: FFmpegError? {
    guard let code = context.pointee.pb?.pointee.error, code < 0, code != FFmpegError.endOfFile,
      code != FFmpegError.exit
    else { return nil }
    return FFmpegError(code: code)
  }

  /// The start of the file on its own clock, in microseconds.
  var startTime: Int64 {
    let time = context.pointee.start_time
    return time == kinema_AV_NOPTS_VALUE ? 0 : time
  }

  private static func open(
    _ url: URL, kinds: [MediaKind], interruption: InterruptCallback
  ) throws(FFmpegError) -> (UnsafeMutablePointer<AVFormatContext>, MediaKind) {
    var callback = interruption.callback
    var io: UnsafeMutablePointer<AVIOContext>?
    let address = "file:" + url.path
    try checked(avio_open2(&io, address, AVIO_FLAG_READ, &callback, nil))
    guard let allocated = avformat_alloc_context() else {
      avio_closep(&io)
      throw FFmpegError(code: FFmpegError.system(ENOMEM))
    }
    var context: UnsafeMutablePointer<AVFormatContext>? = allocated
    allocated.pointee.pb = io
    allocated.pointee.interrupt_callback = callback
    allocated.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    // No format may open other files.
    allocated.pointee.io_open = { _, _, _, _, _ in FFmpegError.system(EPERM) }
    do throws(FFmpegError) {
      let (format, kind) = try probe(io)
      if kinds.contains(kind) {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "codec_whitelist", ForeignMedia.decoders, 0)
        try checked(avformat_open_input(&context, address, format, &options))
      }
      guard let context else { throw FFmpegError(code: FFmpegError.invalidData) }
      return (context, kind)
    } catch {
      // A failed opening frees the context, but not the file passed to it.
      if context != nil { avformat_free_context(context) }
      avio_closep(&io)
      throw error
    }
  }

  /// The kind of a file by its content; `nil` if unreadable.
  static func kind(of url: URL) -> MediaKind? {
    if let format = LibraryFormat(contentsOf: url) { return format.kind }
    FFmpegLog.silence()
    guard (try? checkIsReadable(url)) != nil else { return nil }
    var io: UnsafeMutablePointer<AVIOContext>?
    guard avio_open2(&io, "file:" + url.path, AVIO_FLAG_READ, nil, nil) >= 0 else { return nil }
    defer { avio_closep(&io) }
    return try? probe(io).kind
  }

  /// The kind of a file by its content alone, not its extension.
  private static func probe(
    _ io: UnsafeMutablePointer<AVIOContext>?
  ) throws(FFmpegError) -> (format: UnsafePointer<AVInputFormat>?, kind: MediaKind) {
    if let map = portableMap(io) { return (map, .stillPicture) }
    var format: UnsafePointer<AVInputFormat>?
    try checked(av_probe_input_buffer2(io, &format, "", nil, 0, 0))
    let kind = format.map { MediaKind(formatName: String(cString: $0.pointee.name)) } ?? .other
    return (format, kind)
  }

  /// The reader of a Netpbm picture whose header is on one line, `P6 640 480 255`, which the format allows
  /// (netpbm.sourceforge.net/doc/ppm.html) and FFmpeg decodes, but does not recognise.
  private static func portableMap(
    _ io: UnsafeMutablePointer<AVIOContext>?
  ) -> UnsafePointer<AVInputFormat>? {
    var head = [UInt8](repeating: 0, count: 3)
    let count = avio_read(io, &head, Int32(head.count))
    avio_seek(io, 0, SEEK_SET)
    guard Int(count) == head.count, head[0] == UInt8(ascii: "P"), " \t".utf8.contains(head[2])
    else {
      return nil
    }
    switch head[1] {
    case UInt8(ascii: "1"), UInt8(ascii: "4"): return av_find_input_format("pbm_pipe")
    case UInt8(ascii: "2"), UInt8(ascii: "5"): return av_find_input_format("pgm_pipe")
    case UInt8(ascii: "3"), UInt8(ascii: "6"): return av_find_input_format("ppm_pipe")
    default: return nil
    }
  }

  private static func close(_ context: UnsafeMutablePointer<AVFormatContext>) {
    var io = context.pointee.pb
    var closing: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&closing)
    avio_closep(&io)
  }
}

// MARK: - Errors

extension MediaFile {
  static func checkIsReadable(_ url: URL) throws(VideoError) {
    let path = url.path
    guard url.isFileURL else {
      throw VideoError(
        .unreadableFile, "\(url.absoluteString) is not a file: download it and give its path.")
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR {
        throw VideoError(.fileNotFound, MessageText("fileGone", ["file": path]))
      }
      throw unreadable(path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      throw VideoError(.unreadableFile, MessageText("folderNotVideo", ["file": path]))
    default:
      throw VideoError(.unreadableFile, MessageText("deviceNotVideo", ["file": path]))
    }
    if status.st_size == 0 {
      throw VideoError(.truncated, MessageText("emptyFile", ["file": path]))
    }
    if access(path, R_OK) != 0 { throw unreadable(path) }
  }

  /// The error for a file that the last call could not open.
  private static func unreadable(_ path: String) -> VideoError {
    VideoError(
      .unreadableFile,
      "\(path) cannot be read (\(String(cString: strerror(errno)))): check its permissions.",
      text: MessageText("unreadableFile", ["file": path]))
  }

  private static func openingError(
    _ url: URL, _ error: FFmpegError, lastError: String?, interruption: InterruptCallback
  ) -> VideoError {
    let path = url.path
    if interruption.isPastDeadline {
      return VideoError(.timedOut, MessageText("slowFile", ["file": path]), cause: error)
    }
    if let foreign = VideoError.foreign(url) { return foreign }
    if lastError?.contains("moov atom not found") == true {
      return VideoError(.truncated, MessageText("cutOffFile", ["file": path]), cause: error)
    }
    if error.code == FFmpegError.invalidData || error.code == FFmpegError.endOfFile {
      return VideoError(.unknownFormat, MessageText("notVideo", ["file": path]), cause: error)
    }
    return VideoError(
      .unreadableFile,
      MessageText("brokenFile", ["file": path, "reason": error]),
      cause: error)
  }

  /// The error for a file of a kind that it should not be.
  static func unexpected(_ kind: MediaKind, _ url: URL) -> VideoError {
    let path = url.path
    if let foreign = VideoError.foreign(url) { return foreign }
    switch kind {
    case .stillPicture:
      return VideoError(.noVideo, MessageText("stillPicture", ["file": path]))
    case .video:
      return VideoError(
        .unknownFormat,
        "\(path) is a video, not a still picture: give a JPEG, PNG, HEIC or WebP "
          + "file.")
    case .sound:
      return VideoError(.noVideo, MessageText("onlySound", ["file": path]))
    case .other:
      return VideoError(.unknownFormat, MessageText("notVideo", ["file": path]))
    }
  }
}
