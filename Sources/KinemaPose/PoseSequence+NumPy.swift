import Foundation
import KinemaFiles

extension PoseSequence {
  /// Reads `poses` `[frames, persons, 3, joints]` (or `[frames, 3, joints]`), `times` `[frames]` in
  /// seconds, and if present `ids` `[persons]` and, for hands, `hands` `[frames, persons]`.
  init(archiveAt url: URL) throws {
    guard FileManager.default.isReadableFile(atPath: url.path) else {
      throw PoseError(.notFound, "\(url.path) cannot be read; is it there?")
    }
    func malformed(_ what: String, _ cause: (any Error)? = nil) -> PoseError {
      PoseError(
        .malformed,
        "\(url.path) is not a pose file: \(what); expected arrays poses [frames, persons, 3, 18] "
          + "and times [frames].", cause: cause)
    }
    let arrays: [String: NumPyArray]
    do {
      arrays = try NumPyArchive.read(["poses", "times", "ids", "hands"], at: url.path)
    } catch {
      throw malformed("\(error)", error)
    }
    guard let poses = arrays["poses"] else { throw malformed("it has no array named poses") }
    guard let times = arrays["times"] else { throw malformed("it has no array named times") }
    var shape = poses.shape
    if shape.count == 3 { shape.insert(1, at: 1) }
    guard shape.count == 4, shape[2] == 3,
      let joints = [JointKey.body, JointKey.hand].first(where: { $0.count == shape[3] })
    else { throw malformed("its array poses has the shape \(poses.shape)") }
    guard times.shape == [shape[0]] else {
      throw malformed("its array times has the shape \(times.shape) beside \(shape[0]) frames")
    }
    let personCount = shape[1]
    let ids = arrays["ids"]?.integers ?? Array(1...max(1, personCount))
    guard ids.count == personCount || personCount == 0 else {
      throw malformed("it has \(ids.count) ids for \(personCount) persons")
    }
    let sides = arrays["hands"]?.integers
    guard sides == nil || arrays["hands"]?.shape == [shape[0], personCount] else {
      throw malformed("its array hands does not match its array poses")
    }
    let seconds = times.doubles
    guard seconds.allSatisfy(\.isFinite), zip(seconds, seconds.dropFirst()).allSatisfy({ $0 <= $1 })
    else { throw malformed("its times decrease or are not numbers") }
    let values = poses.floats
    let size = 3 * joints.count
    if let place = values.firstIndex(where: { !$0.isFinite }) {
      throw malformed(
        "it has a joint that is not a number, the first in frame \(place / (personCount * size)), "
          + "where a missing joint is (0, 1, 0)")
    }
    self.init(joints: joints)
    frames = seconds.indices.map { index in
      let people = (0..<personCount).map { slot in
        let start = (index * personCount + slot) * size
        var pose = Pose(multiArray: values[start..<(start + size)], of: joints, personID: ids[slot])
        pose.chirality = sides.flatMap { Chirality(number: $0[index * personCount + slot]) }
        return pose
      }
      return Frame(time: seconds[index], poses: people.filter { !$0.keypoints.isEmpty })
    }
  }

  func writeArchive(to url: URL) throws {
    // Poses without an id are numbered by their order in the frame.
    let numbered = frames.map { frame in
      frame.poses.enumerated().map { (id: $1.personID ?? $0 + 1, pose: $1) }
    }
    var seen: Set<Int> = []
    let found = numbered.joined().map(\.id).filter { seen.insert($0).inserted }
    let ids = found.isEmpty ? [1] : found
    let slots = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    let size = 3 * joints.count
    var values = [Float](repeating: 0, count: frames.count * ids.count * size)
    var sides = [Int32](repeating: 0, count: frames.count * ids.count)
    for (index, poses) in numbered.enumerated() {
      for (id, pose) in poses {
        guard let slot = slots[id] else { continue }
        let start = (index * ids.count + slot) * size
        values.replaceSubrange(start..<(start + size), with: pose.multiArray(of: joints))
        sides[index * ids.count + slot] = pose.chirality?.number ?? 0
      }
    }
    do {
      var arrays = [
        ("poses", NumPyArray(values, shape: [frames.count, ids.count, 3, joints.count])),
        ("times", NumPyArray(frames.map(\.time), shape: [frames.count])),
        ("ids", NumPyArray(ids.map(Int32.init(clamping:)), shape: [ids.count])),
      ]
      if joints == JointKey.hand {
        arrays.append(("hands", NumPyArray(sides, shape: [frames.count, ids.count])))
      }
      try WholeFile.write(NumPyArchive.data(of: arrays), to: url)
    } catch {
      throw PoseError(.writingFailed, "\(error)", cause: error)
    }
  }
}

extension Chirality {
  /// The number for a side in arrays, as in Vision: −1 left, 1 right, 0 unknown.
  fileprivate var number: Int32 { self == .left ? -1 : 1 }

  fileprivate init?(number: Int) {
    switch number {
    case -1: self = .left
    case 1: self = .right
    default: return nil
    }
  }
}
