import CFFmpeg
import Synchronization

/// Limits the memory of the pictures that a decoder holds: their size times their number, which a file
/// chooses.
final class PictureBudget: Sendable {
  /// Five pictures of 8K with ten bits, or ten with eight.
  private static let byteCount = 512 << 20

  private let inUse = Atomic(0)
  private let exceeded = Atomic(false)

  /// Whether a picture was refused.
  var isExceeded: Bool { exceeded.load(ordering: .relaxed) }

  /// A picture's part of the budget.
  private final class Share: Sendable {
    let budget: PictureBudget
    let byteCount: Int

    init(of budget: PictureBudget, byteCount: Int) {
      (self.budget, self.byteCount) = (budget, byteCount)
    }

    deinit { budget.inUse.subtract(byteCount, ordering: .relaxed) }
  }

  /// Counts the pictures of a decoder, which the budget must outlive.
  func count(_ codec: UnsafeMutablePointer<AVCodecContext>) {
    codec.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    codec.pointee.get_buffer2 = { codec, picture, flags in
      guard let codec, let picture, let opaque = codec.pointee.opaque else {
        return FFmpegError.outOfMemory
      }
      let budget = Unmanaged<PictureBudget>.fromOpaque(opaque).takeUnretainedValue()
      guard let share = budget.share(of: picture) else { return FFmpegError.outOfMemory }
      let status = avcodec_default_get_buffer2(codec, picture, flags)
      if status >= 0 && picture.pointee.opaque_ref == nil {
        picture.pointee.opaque_ref = share
      } else {
        var unused: UnsafeMutablePointer<AVBufferRef>? = share
        av_buffer_unref(&unused)
      }
      return status
    }
  }

  /// A reference that goes with the picture's last one; `nil` where it would exceed the budget.
  private func share(of picture: UnsafePointer<AVFrame>) -> UnsafeMutablePointer<AVBufferRef>? {
    let size = av_image_get_buffer_size(
      AVPixelFormat(picture.pointee.format), picture.pointee.width, picture.pointee.height, 1)
    let byteCount = Int(max(0, size))
    let sum = inUse.add(byteCount, ordering: .relaxed).newValue
    let share = Unmanaged.passRetained(Share(of: self, byteCount: byteCount))
    guard sum <= Self.byteCount,
      let reference = av_buffer_create(
        share.toOpaque().assumingMemoryBound(to: UInt8.self), 1,
        { share, _ in
          guard let share else { return }
          Unmanaged<Share>.fromOpaque(share).release()
        }, share.toOpaque(), 0)
    else {
      exceeded.store(true, ordering: .relaxed)
      share.release()
      return nil
    }
    return reference
  }
}
