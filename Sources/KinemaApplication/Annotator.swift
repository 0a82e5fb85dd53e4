import Foundation
import Kinema

final class Annotator {
  private let input: URL?
  private let url: URL
  private let isStillImage: Bool
  private let overlay = Overlay()
  private var writer: VideoWriter?
  private var picture: Frame?

  /// - Parameter input: The original, whose audio is copied; `nil` for a stream.
  init(target: OutputTarget, input: URL?, isStillImage: Bool) throws {
    self.input = input
    self.isStillImage = isStillImage
    url = target.file(for: input ?? StreamOperand.name, fileExtension: isStillImage ? "png" : "mp4")
    let allowed = isStillImage ? ["png", "jpg", "jpeg"] : ["mp4"]
    guard allowed.contains(url.pathExtension.lowercased()) else {
      let kind = isStillImage ? "picture" : "video"
      throw UsageError(
        "An annotated \(kind) is written as .\(allowed[0]); \(url.lastPathComponent) is not.")
    }
    guard url.standardizedFileURL != input?.standardizedFileURL else {
      throw UsageError("The annotated copy would replace \(url.path); give it another name.")
    }
  }

  func append(
    _ frame: PosedFrame, prominent: Pose?, caption: Caption?, labels: [String] = []
  ) async throws {
    guard let picture = frame.picture else { return }
    var drawn = TemporalFeature(id: frame.id, feature: picture)
    let index = prominent.flatMap { frame.poses.firstIndex(of: $0) }
    overlay.draw(
      frame.poses, prominent: index, caption: caption, labels: labels, on: &drawn.feature)
    if isStillImage {
      self.picture = drawn.feature
      return
    }
    if writer == nil {
      writer = try await VideoWriter(
        url: url, size: CGSize(width: drawn.feature.width, height: drawn.feature.height),
        audioFrom: input)
    }
    try await writer?.append(drawn)
  }

  /// Completes the file and gives it its name.
  func finish() async throws {
    if let picture { try picture.write(to: url) }
    try await writer?.finish()
    writer = nil
  }

  /// Stops and removes the copy.
  func cancel() {
    writer?.cancel()
    writer = nil
  }
}
