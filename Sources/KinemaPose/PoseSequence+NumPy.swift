import Foundation

extension PoseSequence {
  /// Reads `poses` `[frames, persons, 3, joints]` (or `[frames, 3, joints]` for one person),
  /// `times` `[frames]` in seconds and, where given, `ids` `[persons]`.
  init(archiveAt url: URL) throws {
    guard FileManager.default.isReadableFile(atPath: url.path) else {
      throw PoseError(.notFound, "\(url.path) cannot be read; is it there?")
    }
    func malformed(_ what: String, _ cause: (any Error)? = nil) -> PoseError {
      PoseError(
        .malformed,
        "\(url.path) is not a file of poses: \(what); expected arrays poses [frames, persons, 3, 18] "
          + "and times [frames].", cause: cause)
    }
    let arrays: [String: NumPyArray]
    do {
      arrays = try NumPyArchive.read(["poses", "times", "ids"], at: url.path)
    } catch {
      throw malformed("\(error)", error)
    }
    guard let poses = arrays["poses"] else { throw malformed("it holds no array named poses") }
    guard let times = arrays["times"] else { throw malformed("it holds no array named times") }
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
    let seconds = times.doubles
    guard seconds.allSatisfy(\.isFinite), zip(seconds, seconds.dropFirst()).allSatisfy({ $0 <= $1 })
    else { throw malformed("its times run backwards or are no numbers") }
    let values = poses.floats
    let size = 3 * joints.count
    self.init(joints: joints)
    frames = seconds.indices.map { index in
      let people = (0..<personCount).map { slot in
        let start = (index * personCount + slot) * size
        return Pose(multiArray: values[start..<(start + size)], of: joints, personID: ids[slot])
      }
      return Frame(time: seconds[index], poses: people.filter { !$0.keypoints.isEmpty })
    }
  }

  func writeArchive(to url: URL) throws {
    let ids = personIDs.isEmpty ? [1] : personIDs
    let slots = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    let size = 3 * joints.count
    var values = [Float](repeating: 0, count: frames.count * ids.count * size)
    for (index, frame) in frames.enumerated() {
      for pose in frame.poses {
        let slot = pose.personID.flatMap { slots[$0] } ?? 0
        let start = (index * ids.count + slot) * size
        values.replaceSubrange(start..<(start + size), with: pose.multiArray(of: joints))
      }
    }
    do {
      let data = try NumPyArchive.data(of: [
        ("poses", NumPyArray(values, shape: [frames.count, ids.count, 3, joints.count])),
        ("times", NumPyArray(frames.map(\.time), shape: [frames.count])),
        ("ids", NumPyArray(ids.map(Int32.init(clamping:)), shape: [ids.count])),
      ])
      try WholeFile.write(data, to: url)
    } catch {
      throw PoseError(.writingFailed, "\(url.path) cannot be written: \(error).", cause: error)
    }
  }
}
