public import Foundation
import Glibc

/// A source of live frames.
public enum LiveSource: Hashable, Sendable {
  /// A local camera.
  case camera(CameraConfiguration)
  /// A stream: `rtsp`, `rtsps`, `rtmp`, `rtmps`, `http` and `https` (also HLS), `srt`, `udp`,
  /// `rtp`, `tcp`, or `pipe:` with the path of a named pipe.
  case stream(URL)
  /// A video file, looped at its own rate.
  case file(URL)
  /// A test pattern of FFmpeg, such as `testsrc2` or `testsrc2=size=640x480:rate=30`.
  case pattern(String)
  /// Another source with adjusted frames; see ``adjusted(by:)``.
  indirect case adjusted(LiveSource, PictureAdjustment)

  /// Parses `/dev/video0`, an address, `pattern:testsrc2`, the path of a named pipe, or of a video
  /// file, without opening it; throws ``VideoError`` for an unsupported kind of address.
  public init(_ text: String) throws(VideoError) {
    if text.hasPrefix("/dev/video") {
      self = .camera(CameraConfiguration(device: text))
    } else if let name = text.split(separator: ":", maxSplits: 1).last, text.hasPrefix("pattern:") {
      self = .pattern(String(name))
      _ = try LiveInput(pattern: String(name), name: self.name)
    } else if text.contains("://") || text.hasPrefix("pipe:") {
      guard let url = URL(string: text) else {
        throw VideoError(
          .unreadableFile,
          "The address of a stream is invalid: write spaces and other special characters "
            + "in it as % and two digits.")
      }
      if url.isFileURL {
        self = .file(url)
      } else {
        try StreamScheme(of: url).check(url)
        self = .stream(url)
      }
    } else {
      let url = URL(filePath: text)
      var status = stat()
      let isPipe = stat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
      var pipe = URLComponents()
      pipe.scheme = "pipe"
      pipe.path = url.path
      self = isPipe ? pipe.url.map(LiveSource.stream) ?? .file(url) : .file(url)
    }
  }

  /// The name in messages; only the host of an address, since addresses may contain passwords.
  public var name: String {
    switch self {
    case .camera(let configuration):
      let name = Self.cameraName(device: configuration.device)
      return name == configuration.device
        ? "The camera \(name)" : "The camera \(name) (\(configuration.device))"
    case .stream(let url):
      if url.scheme?.lowercased() == "pipe" {
        return url.path == PipeInput.standardInput ? "Standard input" : "The pipe \(url.path)"
      }
      guard let host = url.host, !host.isEmpty else { return "The stream" }
      return "The stream from \(host)"
    case .file(let url): return url.lastPathComponent
    case .pattern: return "The test pattern"
    case .adjusted(let source, _): return source.name
    }
  }
}

extension LiveSource {
  /// The kind of a stream's address; `nil` for other sources.
  var scheme: StreamScheme? {
    switch self {
    case .stream(let url): try? StreamScheme(of: url)
    case .adjusted(let source, _): source.scheme
    case .camera, .file, .pattern: nil
    }
  }
}

/// The supported kinds of address, and the protocols each may use.
enum StreamScheme: String, CaseIterable {
  case rtsp, rtsps, rtmp, rtmps, http, https, srt, udp, rtp, tcp, pipe

  init(of url: URL) throws(VideoError) {
    guard let scheme = url.scheme.flatMap({ StreamScheme(rawValue: $0.lowercased()) }) else {
      let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw VideoError(
        .unreadableFile,
        "A stream's address starts with \(url.scheme ?? "no scheme"), which is not supported: use "
          + "one of \(known).")
    }
    self = scheme
  }

  /// Whether a sender waits for its reader, rather than what it sends being lost.
  var keepsUnread: Bool {
    switch self {
    case .rtsp, .rtsps, .rtmp, .rtmps, .http, .https, .tcp, .pipe: true
    case .srt, .udp, .rtp: false
    }
  }

  /// Throws where the address lacks the host to connect to, or has a port that there cannot be.
  func check(_ url: URL) throws(VideoError) {
    guard url.port.map({ (1...65535).contains($0) }) ?? true else {
      throw VideoError(
        .unreadableFile,
        "A stream's address has a port that does not exist: take one from 1 to 65535.")
    }
    switch self {
    case .rtsp, .rtsps, .rtmp, .rtmps, .http, .https:
      guard url.host?.isEmpty == false else {
        throw VideoError(
          .unreadableFile,
          "A stream's address has no host: write \(rawValue)://HOST/PATH.")
      }
    // These can wait for a sender.
    case .srt, .udp, .rtp, .tcp:
      guard url.port != nil else {
        throw VideoError(
          .unreadableFile, "A stream's address has no port: write \(rawValue)://HOST:PORT.")
      }
    case .pipe:
      guard !url.path.isEmpty else {
        throw VideoError(.unreadableFile, "A pipe's address has no path: write pipe:/PATH.")
      }
    }
  }

  /// FFmpeg's protocols that a stream may use; none opens files.
  var protocols: String {
    switch self {
    case .rtsp, .rtsps: "rtsp,rtsps,rtp,srtp,udp,tcp,tls,crypto,http,https,httpproxy"
    case .rtmp, .rtmps:
      "rtmp,rtmps,rtmpt,rtmpe,rtmpts,rtmpte,ffrtmphttp,ffrtmpcrypt,tcp,tls,crypto,http,https"
    case .http, .https: "http,https,tcp,tls,crypto,httpproxy"
    case .srt: "srt,udp"
    case .udp, .rtp: "udp,rtp"
    case .tcp: "tcp"
    case .pipe: ""
    }
  }

  /// FFmpeg's formats that a stream may have; none refers to files.
  static let formats =
    "mpegts,hls,rtsp,rtp,flv,live_flv,matroska,webm,mov,mp4,mpjpeg,mjpeg,h264,hevc,m4v,mpegvideo,"
    + "mpeg,ogg,avi,nut,asf,av1,obu,ivf,aac,mp3,ac3,eac3,webvtt"
}
