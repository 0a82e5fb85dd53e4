/// A blob of frames, [sequences][rows][channels]: a sequence is one point of one sample (or a whole
/// sample), its first `frames` rows hold values, the rest is padding.
struct FrameBlob {
  let memory: FloatMemory
  let frontRows: Int
  let points: Int
  let frames: Int
  let rows: Int
  let channels: Int

  /// Creates a blob for this many samples, in given memory or its own.
  init(
    samples: Int, points: Int, frames: Int, rows: Int? = nil, frontRows: Int = 0, channels: Int,
    in memory: FloatMemory? = nil
  ) {
    self.frontRows = frontRows
    self.points = points
    self.frames = frames
    self.rows = rows ?? frames
    self.channels = channels
    let count = (frontRows + samples * points * self.rows) * channels
    self.memory = memory ?? FloatMemory(count)
    precondition(self.memory.count >= count, "a blob is larger than its memory")
  }

  func sample(_ index: Int) -> UnsafeMutablePointer<Float> { sequence(index * points) }

  func sequence(_ index: Int) -> UnsafeMutablePointer<Float> {
    memory.pointer + (frontRows + index * rows) * channels
  }
}
