import KinemaAction
import KinemaCounting
import KinemaSynth

/// Varies windows of training clips; the result depends only on seed, epoch and window.
struct WindowAugmenter: Sendable {
  let windows: TrainingWindows
  let augmentation: PoseAugmentation
  let stride: Int
  let seed: UInt64
  private let partners: [Int]
  private let splicedLabels: Set<Int>
  private let splicedWindows: [Int: [Int]]

  init(
    _ windows: TrainingWindows, labels: [String], augmentation: PoseAugmentation, stride: Int,
    seed: UInt64
  ) {
    self.windows = windows
    self.augmentation = augmentation
    self.stride = stride
    self.seed = seed
    partners = PoseWindow.mirroredJoints(of: windows.joints)
    let kinds = LabelKinds()
    splicedLabels = Set(
      labels.indices.filter {
        augmentation.splicesEverythingElse && kinds.isEverythingElse(labels[$0])
      })
    splicedWindows = Dictionary(grouping: windows.windows.indices) {
      windows.label(of: windows.windows[$0])
    }
  }

  /// The varied window `[windowSize, 3, joints]` in an iteration.
  func values(ofWindow index: Int, iteration: Int) -> [Float] {
    var generator = Self.generator(seed: seed, iteration: iteration, index: index)
    let label = windows.label(of: windows.windows[index])
    var window = atTempo(windows.windows[index], using: &generator)
    if splicedLabels.contains(label), generator.chance(augmentation.spliceProbability) {
      let other = generator.pick(splicedWindows[label] ?? [index])
      splice(atTempo(windows.windows[other], using: &generator), onto: &window, using: &generator)
    }
    augmentation.vary(
      &window, frameRate: Float(windows.frameRate), partners: partners, using: &generator)
    return window.values
  }

  static func generator(seed: UInt64, iteration: Int, index: Int) -> SeededGenerator {
    var outer = SeededGenerator(seed: seed ^ (UInt64(iteration + 1) &* 0xD1B5_4A32_D192_ED03))
    return SeededGenerator(seed: outer.next() ^ (UInt64(index + 1) &* 0x8CB9_2BA7_2F3D_8DD7))
  }

  private func atTempo(
    _ window: TrainingWindows.Window, using generator: inout SeededGenerator
  ) -> PoseWindow {
    let clip = windows.clips[window.clip]
    let size = windows.windowSize
    var tempo = generator.uniform(augmentation.tempo)
    let offset = generator.uniform(-0.5...0.5) * Float(stride)
    // No faster than the clip's length allows.
    tempo = min(tempo, max(1, Float(clip.frameCount - 1) / Float(max(1, size - 1))))
    let length = tempo * Float(size - 1)
    let last = max(0, Float(clip.frameCount - 1) - length)
    let wanted = Float(window.start) + (augmentation.variesStart ? offset : 0)
    let start = min(max(0, wanted), last)
    var shown = PoseWindow(frameCount: size, joints: windows.joints)
    for frame in 0..<size {
      let source = start + Float(frame) * tempo
      guard source <= Float(clip.frameCount - 1) + 1e-3 else { break }
      let before = min(Int(source), clip.frameCount - 1)
      let share = source - Float(before)
      show(clip, frame: before, share: share, in: &shown, at: frame)
    }
    return shown
  }

  /// Interpolates between two frames of a clip; a joint missing in one of them is copied from the
  /// nearer.
  private func show(
    _ clip: TrainingWindows.Clip, frame: Int, share: Float, in window: inout PoseWindow,
    at target: Int
  ) {
    let next = min(frame + 1, clip.frameCount - 1)
    window.read(clip.values, frame: share < 0.5 ? frame : next, into: target)
    guard share > 1e-3, share < 1 - 1e-3, next > frame, window.isReal[target] else { return }
    let count = windows.joints.count
    let first = frame * 3 * count
    let second = next * 3 * count
    for joint in 0..<count
    where clip.values[first + 2 * count + joint] > 0 && clip.values[second + 2 * count + joint] > 0
    {
      func between(_ row: Int) -> Float {
        let start = clip.values[first + row * count + joint]
        return start + (clip.values[second + row * count + joint] - start) * share
      }
      window.positions[target * count + joint] = SIMD2(between(0), between(1))
      window.confidences[target * count + joint] = between(2)
    }
  }

  private func splice(
    _ other: PoseWindow, onto window: inout PoseWindow, using generator: inout SeededGenerator
  ) {
    let size = window.frameCount
    let cut = Int(generator.uniform(0.25...0.75) * Float(size))
    for frame in cut..<size { window.copyFrame(frame, of: other, to: frame) }
  }
}
