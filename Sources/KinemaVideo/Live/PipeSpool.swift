import CFFmpeg
import Foundation
import Glibc

/// The order of index and pictures in an MP4 or QuickTime file, by the first of its boxes (ISO/IEC
/// 14496-12, section 4.2).
enum BoxOrder: Equatable {
  /// It can be decoded from front to back, or is a file of another kind.
  case indexFirst
  /// The pictures come first; so many bytes end with them, if that is said.
  case indexLast(byteCount: Int64?)
  /// It takes so many more bytes to know.
  case unknown(missing: Int)

  /// What may stand before the pictures, and is small.
  private static let introductions = ["ftyp", "wide", "free", "skip", "pnot", "uuid"]
  /// Longer introductions are not waited for.
  private static let longestHead = 1 << 16

  init(of bytes: [UInt8]) {
    var place = 0
    while place <= Self.longestHead {
      let isLong = place + 8 <= bytes.count && Self.number(in: bytes[place..<place + 4]) == 1
      let headerLength = isLong ? 16 : 8
      guard place + headerLength <= bytes.count else {
        self = .unknown(missing: place + headerLength - bytes.count)
        return
      }
      let size =
        isLong
        ? Self.number(in: bytes[place + 8..<place + 16])
        : Self.number(in: bytes[place..<place + 4])
      let kind = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      if kind == "mdat" {
        // A size of 0 means to the end of the file.
        let (end, isOver) = Int64(place).addingReportingOverflow(size)
        self = .indexLast(byteCount: size == 0 ? nil : isOver ? .max : end)
        return
      }
      guard Self.introductions.contains(kind), (8...Int64(Self.longestHead)).contains(size) else {
        break
      }
      place += Int(size)
    }
    self = .indexFirst
  }

  /// How many more bytes it takes to know the order; `nil` where it is known.
  static func missingByteCount(of bytes: [UInt8]) -> Int? {
    guard case .unknown(let count) = BoxOrder(of: bytes) else { return nil }
    return count
  }

  private static func number(in bytes: ArraySlice<UInt8>) -> Int64 {
    Int64(clamping: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}

/// A copy of a pipe in a temporary file without a name, which is gone with the process, however it
/// ends.
final class PipeSpool {
  /// The limit of a copy.
  static let maximumByteCount: Int64 = 8 << 30

  private let file: Int32
  private var byteCount: Int64 = 0
  private var position: Int64 = 0

  /// - Parameter byteCount: How long it is at least, if known.
  /// - Throws: `EFBIG` above the limit, `ENOSPC` where no file can be made.
  init(byteCount: Int64?) throws(FFmpegError) {
    guard byteCount ?? 0 <= Self.maximumByteCount else { throw Self.tooLong }
    let path = FileManager.default.temporaryDirectory
      .appending(path: ".kinema-pipe-\(UUID().uuidString)").path
    file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.unwritable }
    unlink(path)
  }

  deinit { if file >= 0 { close(file) } }

  /// - Throws: As the initialiser.
  func append(_ bytes: ArraySlice<UInt8>) throws(FFmpegError) {
    guard byteCount + Int64(bytes.count) <= Self.maximumByteCount else { throw Self.tooLong }
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Self.unwritable }
      rest = rest.dropFirst(count)
      byteCount += Int64(count)
    }
  }

  func read(into target: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 {
    let got = pread(file, target, count, Int(position))
    guard got != 0 else { return FFmpegError.endOfFile }
    guard got > 0 else { return FFmpegError.system(errno) }
    position += Int64(got)
    return Int32(got)
  }

  /// As FFmpeg's `avio_alloc_context` describes it; the length for `AVSEEK_SIZE`.
  func seek(to offset: Int64, from origin: Int32) -> Int64 {
    let base: Int64
    switch origin & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return byteCount
    case SEEK_SET: base = 0
    case SEEK_CUR: base = position
    case SEEK_END: base = byteCount
    default: return Int64(FFmpegError.system(EINVAL))
    }
    let (target, isOver) = base.addingReportingOverflow(offset)
    guard !isOver, target >= 0 else { return Int64(FFmpegError.system(EINVAL)) }
    position = target
    return target
  }

  private static var tooLong: FFmpegError { FFmpegError(code: FFmpegError.system(EFBIG)) }
  private static var unwritable: FFmpegError { FFmpegError(code: FFmpegError.system(ENOSPC)) }
}
