import Glibc
package import KinemaPose

/// What the lifter's network reads: the joints in the picture at some moments before and after one.
///
/// The joints are moved to the middle of the body at that moment and divided by its size, so that
/// nothing depends on where in the picture it is but five numbers at the end.
package enum LiftWindow {
  /// The moments that are read, in seconds from the one that is lifted, oldest first.
  package static let offsets: [Double] = [
    -0.8, -0.5, -0.3, -0.2, -2.0 / 15, -1.0 / 15, -1.0 / 30, 0, 1.0 / 30, 1.0 / 15, 2.0 / 15, 0.2,
    0.3, 0.5,
  ]
  /// How long before and after a moment is read, in seconds.
  package static let past = 0.8
  package static let future = 0.5
  /// The most seconds between two frames between which joints are interpolated.
  private static let longestGap = 0.2
  private static let rowSize = 3 * BodyJoint.count
  /// How far outside its picture a joint is believed to be, in sizes of the body.
  private static let farthest: Float = 8
  /// The numbers after those of the moments.
  private static let placeCount = 5
  package static let inputCount = offsets.count * rowSize + placeCount

  /// The joints of a person in one frame.
  package struct Frame: Sendable {
    package let time: Double
    /// The rows x, y and confidence of ``JointKey/body``, in shares of the picture.
    package let values: [Float]

    package init(time: Double, values: [Float]) { (self.time, self.values) = (time, values) }

    package init(_ pose: Pose, time: Double) {
      self.init(time: time, values: pose.multiArray())
    }
  }

  /// The network's input for a frame, `[inputCount]`; `nil` where too little of the body is seen.
  ///
  /// - Parameters:
  ///   - frames: Frames of one person, oldest first.
  ///   - aspectRatio: Width by height of the picture.
  ///   - future: How many seconds after the frame may be read; 0 for a live camera.
  package static func input(
    of index: Int, in frames: [Frame], aspectRatio: Float, future: Double = future
  ) -> [Float]? {
    guard let middle = Extent(frames[index].values, aspectRatio) else { return nil }
    let time = frames[index].time
    var (low, high) = (index, index)
    while low > 0, frames[low - 1].time >= time - past - 0.02 { low -= 1 }
    while high + 1 < frames.count, frames[high + 1].time <= time + future + 1e-6 { high += 1 }
    let near = frames[low...high]
    let size = near.reduce(middle.size) { max($0, Extent($1.values, aspectRatio)?.size ?? 0) }
    guard size > 1e-4 else { return nil }
    var input: [Float] = []
    input.reserveCapacity(inputCount)
    for offset in offsets {
      let row =
        offset > future + 1e-6 ? nil : self.row(at: time + offset, in: near)
      guard let row else {
        input += [Float](repeating: 0, count: rowSize)
        continue
      }
      for joint in 0..<BodyJoint.count {
        let isFound = row[2 * BodyJoint.count + joint] > 0
        let x = (row[joint] * aspectRatio - middle.center.x) / size
        input.append(isFound ? min(max(x, -farthest), farthest) : 0)
      }
      for joint in 0..<BodyJoint.count {
        let isFound = row[2 * BodyJoint.count + joint] > 0
        let y = (row[BodyJoint.count + joint] - middle.center.y) / size
        input.append(isFound ? min(max(y, -farthest), farthest) : 0)
      }
      input += row[(2 * BodyJoint.count)...]
    }
    return input + [
      middle.center.x - aspectRatio / 2, middle.center.y - 0.5, logf(size), aspectRatio,
      future > 0 ? 1 : 0,
    ]
  }

  /// The joints at a moment, between two frames or in the one that is nearest; `nil` far from any.
  private static func row(at time: Double, in frames: ArraySlice<Frame>) -> [Float]? {
    guard let after = frames.firstIndex(where: { $0.time >= time - 1e-6 }) else {
      return frames.last.flatMap { time - $0.time <= 0.02 ? $0.values : nil }
    }
    let next = frames[after]
    guard next.time > time + 1e-6, after > frames.startIndex else {
      return next.time - time <= 0.02 ? next.values : nil
    }
    let last = frames[after - 1]
    guard next.time - last.time <= longestGap else { return nil }
    let share = Float((time - last.time) / (next.time - last.time))
    var row = zip(last.values, next.values).map { $0 + ($1 - $0) * share }
    for joint in 0..<BodyJoint.count {
      let place = 2 * BodyJoint.count + joint
      // Between a joint and one that was not found there is none.
      if min(last.values[place], next.values[place]) <= 0 { row[place] = 0 }
    }
    return row
  }

  /// Where a body is in the picture and how large it is, in heights of the picture.
  private struct Extent {
    let center: SIMD2<Float>
    /// The root of the mean square distance of the joints from the centre.
    let size: Float

    /// `nil` with fewer than four joints.
    init?(_ values: [Float], _ aspectRatio: Float) {
      let places = { (threshold: Float) in
        (0..<BodyJoint.count).filter { values[2 * BodyJoint.count + $0] > threshold }.map {
          SIMD2(values[$0] * aspectRatio, values[BodyJoint.count + $0])
        }
      }
      var joints = places(JointPoint.leastConfidence)
      if joints.count < 4 { joints = places(0) }
      guard joints.count >= 4 else { return nil }
      let center = joints.reduce(SIMD2<Float>()) { $0 + $1 } / Float(joints.count)
      self.center = center
      let square = joints.reduce(Float(0)) { $0 + (($1 - center) * ($1 - center)).sum() }
      size = (square / Float(joints.count)).squareRoot()
    }
  }
}
