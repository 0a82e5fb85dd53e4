import Foundation
import KinemaFiles

extension PoseFile {
  /// The elements of `poses` that are unpacked at a time.
  private static let pieceCount = 1 << 16

  /// Reads `poses` `[frames, persons, 3, joints]` (or `[frames, 3, joints]`), `times` `[frames]` in
  /// seconds, and if present `ids` `[persons]`, `size` `[2]` or `[frames, 2]` and, for hands, `hands`
  /// `[frames, persons]`.
  init(archiveAt url: URL, defaults: Defaults) throws {
    guard FileManager.default.isReadableFile(atPath: url.path) else {
      throw PoseError(.notFound, MessageText("unreadableFile", ["file": url.path]))
    }
    do {
      self = try Self(NumPyArchiveReader(path: url.path), defaults)
    } catch {
      throw PoseError(
        .malformed,
        "\(url.path) is not a pose file: \(error); expected arrays poses [frames, persons, 3, 18] "
          + "and times [frames].",
        text: MessageText("notPoses", ["file": url.path, "reason": "\(error)"]), cause: error)
    }
  }

  private init(_ archive: NumPyArchiveReader, _ defaults: Defaults) throws {
    guard let entry = try archive.entry("poses") else {
      throw Malformed(description: "it has no array named poses")
    }
    var shape = entry.header.shape
    if shape.count == 3 { shape.insert(1, at: 1) }
    guard shape.count == 4, shape[2] == 3,
      let joints = [JointKey.body, JointKey.hand].first(where: { $0.count == shape[3] })
    else { throw Malformed(description: "its array poses has the shape \(entry.header.shape)") }
    let (frameCount, personCount, count) = (shape[0], shape[1], 3 * joints.count)
    try Self.check(frameCount: frameCount, personCount: personCount)
    guard let times = try archive.entry("times") else {
      throw Malformed(description: "it has no array named times")
    }
    guard times.header.shape == [frameCount] else {
      throw Malformed(
        description:
          "its array times has the shape \(times.header.shape) beside \(frameCount) frames")
    }
    let given = try archive.entry("ids")
    guard given == nil || given?.header.elementCount == personCount || personCount == 0 else {
      throw Malformed(
        description: "it has \(given?.header.elementCount ?? 0) ids for \(personCount) persons")
    }
    let ids = try given?.read(personCount).integers ?? Array(1...max(1, personCount))
    let hands = try archive.entry("hands")
    guard hands == nil || hands?.header.shape == [frameCount, personCount] else {
      throw Malformed(description: "its array hands does not match its array poses")
    }
    let sizes = try archive.entry("size")
    guard sizes == nil || [[2], [frameCount, 2]].contains(sizes?.header.shape) else {
      throw Malformed(
        description: "its array size has the shape \(sizes?.header.shape ?? []), not [2]")
    }
    let pixels = try sizes?.read(sizes?.header.elementCount ?? 0).integers ?? []
    let landmarks = try Self.landmarks(
      of: archive, frameCount: frameCount, personCount: personCount)
    self.init(joints: joints, defaults: defaults)
    let seconds = try times.read(frameCount).doubles
    let pieceLength = max(1, Self.pieceCount / max(1, personCount * count))
    for start in stride(from: 0, to: frameCount, by: pieceLength) {
      let piece = start..<min(frameCount, start + pieceLength)
      let values = try entry.read(piece.count * personCount * count).floats
      let sides = try hands?.read(piece.count * personCount).integers
      if let place = values.firstIndex(where: { !$0.isFinite }) {
        throw Malformed(
          description: "it has a joint that is not a number, the first in frame "
            + "\(start + place / (personCount * count)), where a missing joint is (0, 1, 0)")
      }
      for frame in piece {
        let size = pixels.count > 2 ? pixels[(2 * frame)...].prefix(2) : pixels[...]
        try append(time: seconds[frame], size: Array(size))
        for slot in 0..<personCount {
          let number = (frame - start) * personCount + slot
          let rows = values[number * count..<(number + 1) * count]
          let points = try landmarks?.next()
          // An absent person's slot is all zeros.
          guard rows.contains(where: { $0 != 0 }) else { continue }
          try append(
            rows: rows, id: ids[slot], side: Int32(clamping: sides?[number] ?? 0),
            landmarks: points)
        }
      }
    }
  }
}

extension PoseFile {
  /// Reads `landmarks` `[frames, persons, 33, 5]` and `world_landmarks` `[frames, persons, 33, 3]` person by
  /// person; all zeros, or not numbers, stand for none.
  private final class LandmarkReader {
    private let picture: NumPyArchiveReader.Entry
    private let world: NumPyArchiveReader.Entry

    init(picture: NumPyArchiveReader.Entry, world: NumPyArchiveReader.Entry) {
      (self.picture, self.world) = (picture, world)
    }

    /// The values of the next slot.
    func next() throws -> [Float]? {
      let (count, width) = (JointKey.landmarks.count, PoseLandmark.pictureValueCount)
      let depth = PoseLandmark.valueCount - width
      let places = try picture.read(count * width).floats
      let metres = try world.read(count * depth).floats
      guard places.contains(where: { $0 != 0 }), (places + metres).allSatisfy(\.isFinite) else {
        return nil
      }
      var values: [Float] = []
      for index in 0..<count {
        values += places[index * width..<(index + 1) * width]
        values += metres[index * depth..<(index + 1) * depth]
      }
      return values
    }
  }

  private static func landmarks(
    of archive: NumPyArchiveReader, frameCount: Int, personCount: Int
  ) throws -> LandmarkReader? {
    guard let picture = try archive.entry("landmarks"),
      let world = try archive.entry("world_landmarks")
    else { return nil }
    let shape = [frameCount, personCount, JointKey.landmarks.count]
    let depth = PoseLandmark.valueCount - PoseLandmark.pictureValueCount
    guard picture.header.shape == shape + [PoseLandmark.pictureValueCount],
      world.header.shape == shape + [depth]
    else {
      throw Malformed(description: "its landmarks do not match its array poses")
    }
    return LandmarkReader(picture: picture, world: world)
  }
}

extension PoseSequence {
  func archive() throws -> Data {
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
    let slotCount = frames.count * ids.count * JointKey.landmarks.count
    let hasLandmarks = frames.contains { $0.poses.contains { $0.landmarks != nil } }
    var places = [Float](
      repeating: 0, count: hasLandmarks ? slotCount * PoseLandmark.pictureValueCount : 0)
    let depth = PoseLandmark.valueCount - PoseLandmark.pictureValueCount
    var metres = [Float](repeating: 0, count: hasLandmarks ? slotCount * depth : 0)
    for (index, poses) in numbered.enumerated() {
      for (id, pose) in poses {
        guard let slot = slots[id] else { continue }
        let start = (index * ids.count + slot) * size
        values.replaceSubrange(start..<(start + size), with: pose.multiArray(of: joints))
        sides[index * ids.count + slot] = pose.chirality?.number ?? 0
        let first = (index * ids.count + slot) * JointKey.landmarks.count
        for (number, landmark) in (pose.landmarks ?? []).enumerated() {
          let (values, place) = (landmark.values, first + number)
          let width = PoseLandmark.pictureValueCount
          places.replaceSubrange(place * width..<(place + 1) * width, with: values.prefix(width))
          metres.replaceSubrange(place * depth..<(place + 1) * depth, with: values.suffix(depth))
        }
      }
    }
    var arrays = [
      ("poses", NumPyArray(values, shape: [frames.count, ids.count, 3, joints.count])),
      ("times", NumPyArray(frames.map(\.time), shape: [frames.count])),
      ("ids", NumPyArray(ids.map(Int32.init(clamping:)), shape: [ids.count])),
    ]
    let pixels = frames.map { $0.pixels ?? (0, 0) }
    if let first = pixels.first, pixels.contains(where: { $0 != (0, 0) }) {
      let isConstant = pixels.allSatisfy { $0 == first }
      let values = (isConstant ? [first] : pixels).flatMap { [$0.width, $0.height] }
      arrays.append(
        (
          "size",
          NumPyArray(
            values.map(Int32.init(clamping:)), shape: isConstant ? [2] : [frames.count, 2])
        ))
    }
    if hasLandmarks {
      let shape = [frames.count, ids.count, JointKey.landmarks.count]
      arrays.append(
        ("landmarks", NumPyArray(places, shape: shape + [PoseLandmark.pictureValueCount])))
      arrays.append(("world_landmarks", NumPyArray(metres, shape: shape + [depth])))
    }
    if joints == JointKey.hand {
      arrays.append(("hands", NumPyArray(sides, shape: [frames.count, ids.count])))
    }
    return try NumPyArchive.data(of: arrays)
  }
}
