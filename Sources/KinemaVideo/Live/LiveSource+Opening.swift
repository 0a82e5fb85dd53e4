import Foundation

extension LiveSource {
  /// Opens the source within the policy's time; the interruption stops it from another thread;
  /// throws ``VideoError`` if it failed, ``PermanentFailure`` if a retry is useless.
  ///
  /// - Parameter gate: Chooses the frames that are given; `nil` for all.
  func open(
    policy: ReconnectPolicy, interruption: InterruptCallback, gate: (any PictureGate)? = nil
  ) throws -> any LiveFrameStream {
    switch self {
    case .file(let url):
      return try LoopedFileStream(url: url, interruption: interruption, gate: gate)
    case .camera(let configuration):
      let stream = try LiveStreamDecoder(
        opening: LiveInput(configuration, name: name), policy: policy, interruption: interruption,
        gate: configuration.adjustment.adjusting(gate))
      return AdjustedFrameStream(stream, by: configuration.adjustment)
    case .stream(let url):
      let scheme = try orForGood { () throws(VideoError) in try StreamScheme(of: url) }
      return try LiveStreamDecoder(
        opening: LiveInput(url, scheme: scheme, name: name), policy: policy,
        interruption: interruption, gate: gate)
    case .pattern(let text):
      let input = try orForGood { () throws(VideoError) in try LiveInput(pattern: text, name: name)
      }
      return try LiveStreamDecoder(
        opening: input, policy: policy, interruption: interruption, gate: gate)
    case .adjusted(let source, let adjustment):
      return AdjustedFrameStream(
        try source.open(
          policy: policy, interruption: interruption, gate: adjustment.adjusting(gate)),
        by: adjustment)
    }
  }
}

/// Runs `body`, whose errors end the source.
func orForGood<R>(_ body: () throws(VideoError) -> R) throws(PermanentFailure) -> R {
  do {
    return try body()
  } catch {
    throw PermanentFailure(error)
  }
}

struct LiveInput {
  /// The name in messages; starts a sentence.
  var name: String
  /// FFmpeg's address: a URL, a device, a filter's description.
  var address: String
  /// FFmpeg's format if it cannot be detected.
  var formatName: String?
  /// Options of FFmpeg's format and protocol.
  var options: [String: String] = [:]
  /// A named pipe to read instead of the address.
  var pipePath: String?
  /// Whether it is a camera, which is polled without waiting.
  var isCamera = false
  /// Whether it generates frames on demand.
  var isPaced = false
  /// Whether what is not read for a moment is kept for the reader.
  var keepsUnread = false

  init(_ camera: CameraConfiguration, name: String) {
    self.name = name
    address = camera.device
    formatName = "video4linux2"
    isCamera = true
    if camera.width > 0 && camera.height > 0 {
      options["video_size"] = "\(camera.width)x\(camera.height)"
    }
    if camera.frameRate.isFinite && camera.frameRate > 0 {
      options["framerate"] = "\(camera.frameRate)"
    }
    options["input_format"] = camera.pixelFormat
  }

  init(_ url: URL, scheme: StreamScheme, name: String) {
    self.name = name
    address = url.absoluteString
    keepsUnread = scheme.keepsUnread
    options["protocol_whitelist"] = scheme.protocols
    options["format_whitelist"] = StreamScheme.formats
    switch scheme {
    case .rtsp, .rtsps:
      formatName = "rtsp"
      options["rtsp_flags"] = "prefer_tcp"
    case .rtmp, .rtmps: options["rtmp_live"] = "live"
    case .pipe:
      pipePath = url.path
      address = ""
      options["protocol_whitelist"] = "none"
    default: break
    }
    // Enough to detect frame sizes, without much delay.
    options["analyzeduration"] = "1000000"
    options["probesize"] = "2000000"
    options["fpsprobesize"] = "4"
  }

  /// FFmpeg's test sources that read no files.
  private static let patterns = [
    "testsrc2", "testsrc", "smptebars", "smptehdbars", "rgbtestsrc", "mandelbrot", "color",
  ]

  init(pattern text: String, name: String) throws(VideoError) {
    let kind = text.split(separator: "=", maxSplits: 1).first.map(String.init) ?? ""
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789=:._/#".contains(String(scalar)))
    }
    guard Self.patterns.contains(kind), isPlain else {
      throw VideoError(
        .unreadableFile,
        "There is no test pattern of that name: use one of "
          + "\(Self.patterns.joined(separator: ", ")), such as testsrc2=size=640x480:rate=30.")
    }
    self.name = name
    address = text
    formatName = "lavfi"
    isPaced = true
  }
}
