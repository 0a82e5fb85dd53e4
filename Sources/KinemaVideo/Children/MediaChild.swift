package import Foundation
import Glibc
import KinemaFiles
import KinemaStreams

/// The child of ``MediaChildren``: decodes files that it is asked for on standard input, one after the
/// other, in a ``Sandbox``.
package enum MediaChild {
  /// What is done with a file that is no media to know that it does no harm, given the file and its name
  /// for messages; throws what is wrong with it.
  package typealias Check = @Sendable (_ file: URL, _ name: String) throws -> Void

  /// Answers requests until the input ends; the exit status.
  ///
  /// - Parameter checks: What ``MediaChildren/check(_:by:as:)`` names.
  package static func run(checks: [String: Check] = [:]) -> Int32 {
    // Its parent is interrupted; without one its output is closed.
    signal(SIGINT, SIG_IGN)
    signal(SIGPIPE, SIG_DFL)
    do {
      try Sandbox.enter()
    } catch {
      answer(
        .failed(
          .outOfResources, MessageText("noSandbox", ["reason": error]).sentence,
          MessageText("noSandbox", ["reason": error])))
      return 1
    }
    while let line = readLine() {
      guard let request = try? JSONDecoder().decodeForeign(MediaRequest.self, from: Data(line.utf8))
      else { return 1 }
      Sandbox.allowFile()
      do throws(VideoError) {
        try serve(request, checks)
      } catch {
        answer(.failed(error.code, error.message, error.text))
      }
    }
    return 0
  }

  private static func serve(
    _ request: MediaRequest, _ checks: [String: Check]
  ) throws(VideoError) {
    let url = URL(filePath: request.path)
    switch request.work {
    case .frames(let segment, let isOnDemand):
      try sendFrames(
        of: MediaDecoder.open(
          url, as: .video, segment: segment, interruption: InterruptCallback()),
        isOnDemand: isOnDemand)
    case .stillPicture:
      try sendFrames(
        of: MediaDecoder.open(url, as: .stillPicture, interruption: InterruptCallback()))
    case .segments(let segmenter):
      answer(.segments(try segmenter.segments(of: url, interruption: InterruptCallback())))
    case .kind: answer(.kind(MediaFile.kind(of: url)))
    case .check(let name, let file):
      do {
        try checks[name]?(url, file)
      } catch {
        throw VideoError(.damaged, reporting: error)
      }
      answer(checks[name] == nil ? .kind(nil) : .good)
    }
  }

  private static func sendFrames(
    of decoder: any FrameDecoder, isOnDemand: Bool = false
  ) throws(VideoError) {
    answer(.opened(decoder.description))
    /// The earliest time of the next frame, `nil` where no more are wanted; ends with the parent.
    func time() -> Int? {
      guard isOnDemand else { return .min }
      guard let line = readLine() else { _exit(1) }
      if line == MediaRequest.noMore { return nil }
      guard let time = Int(line) else { _exit(1) }
      return time
    }
    while true {
      // Nothing is said to a parent that has left the file.
      guard let time = time() else { return }
      guard let frame = try decoder.next(from: time) else { break }
      let (picture, range) = (frame.feature, frame.id.range)
      answer(
        .frame(
          width: picture.width, height: picture.height, start: range.lowerBound,
          end: range.upperBound))
      picture.withUnsafeBytes(write)
    }
    answer(.end(decoder.damage.counts))
  }

  private static func answer(_ answer: MediaAnswer) {
    // Encoding numbers and strings does not fail.
    guard let json = try? JSONEncoder().encode(answer) else { _exit(1) }
    withUnsafeBytes(of: UInt32(json.count).littleEndian, write)
    json.withUnsafeBytes(write)
  }

  private static func write(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(
        STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { _exit(1) }
      rest = rest.dropFirst(count)
    }
  }
}
