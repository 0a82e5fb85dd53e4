/// A blob of frames, [sequences][rows][channels]: a sequence is one joint of one sample (or a whole
/// sample), its first `frames` rows hold values, the rest is padding.
struct FrameBlob {
  let memory: FloatMemory
  let frontRows: Int
  let joints: Int
  let frames: Int
  let rows: Int
  let channels: Int

  /// Creates a blob for this many samples, in given memory or its own.
  init(
    samples: Int, joints: Int, frames: Int, rows: Int? = nil, frontRows: Int = 0, channels: Int,
    in memory: FloatMemory? = nil
  ) {
    self.frontRows = frontRows
    self.joints = joints
    self.frames = frames
    self.rows = rows ?? frames
    self.channels = channels
    let count = (frontRows + samples * joints * self.rows) * channels
    self.memory = memory ?? FloatMemory(count)
    precondition(self.memory.count >= count, "a blob is larger than its memory")
  }

  func sample(_ index: Int) -> UnsafeMutablePointer<Float> { sequence(index * joints) }

  func sequence(_ index: Int) -> UnsafeMutablePointer<Float> {
    memory.pointer + (frontRows + index * rows) * channels
  }
}
