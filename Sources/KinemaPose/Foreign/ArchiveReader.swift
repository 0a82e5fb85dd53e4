import Foundation

/// The formats of other tools whose poses are arrays of a `.npz` file.
extension ForeignFormat {
  /// Reads which arrays a file has; `nil` where they are Kinema's own, or of no known format.
  init?(ofArchiveAt url: URL) {
    // What cannot be opened is of no format; the reader of Kinema's own says why.
    guard let archive = try? NumPyArchiveReader(path: url.path), !archive.has("poses") else {
      return nil
    }
    if archive.has("keypoint") {
      self = .mmAction
    } else if archive.has("positions_2d") {
      self = .human36M
    } else {
      return nil
    }
  }
}

extension ForeignPoses {
  /// Human3.6M's 17 joints in the order of VideoPose3D (common/h36m_dataset.py): hips and spine first, then the
  /// thorax, “Neck/Nose”, the head, and the arms from the left.
  private static let human36M = PointLayout(joints: [
    nil, .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, nil, .neck, .nose,
    nil,
    .leftShoulder, .leftElbow, .leftWrist, .rightShoulder, .rightElbow, .rightWrist,
  ])

  /// Reads the arrays of a skeleton annotation of MMAction2 or PYSKL (tools/data/README.md there), one video:
  /// `keypoint` `[persons, frames, points, 2]` in pixels, `keypoint_score` `[persons, frames, points]`, and
  /// `img_shape` or `original_shape`, the height and width of the pictures.
  ///
  /// Nobody is tracked in them: the order of people can change from frame to frame.
  mutating func readMMAction(_ archive: NumPyArchiveReader) throws {
    let places = try Self.array("keypoint", of: archive)
    let shape = places.header.shape
    guard shape.count == 4, shape[3] == 2 else {
      throw PoseFile.Malformed(
        description: "its array keypoint has the shape \(shape), where places in pictures, "
          + "[persons, frames, points, 2], are read")
    }
    let (personCount, frameCount, pointCount) = (shape[0], shape[1], shape[2])
    try PoseFile.check(frameCount: frameCount, personCount: personCount)
    guard let layout = PointLayout(pointCount: pointCount), pointCount <= Person.largestPointCount
    else {
      throw PoseFile.Malformed(
        description: "a person has \(pointCount) points, where \(PointLayout.known)")
    }
    let scores = try archive.entry("keypoint_score")
    guard scores == nil || scores?.header.shape == Array(shape.dropLast()) else {
      throw PoseFile.Malformed(
        description: "its array keypoint_score has the shape \(scores?.header.shape ?? []) beside "
          + "\(shape) of keypoint")
    }
    let size = try Self.pictureSize(of: archive)
    for number in 0..<frameCount { _ = try add(Frame(number: number, size: size)) }
    for _ in 0..<personCount {
      for frame in 0..<frameCount {
        let values = try places.read(2 * pointCount).floats
        let confidences = try scores?.read(pointCount).floats
        try add(Self.person(values, confidences, layout, frame: frame), toFrame: frame)
      }
    }
  }

  /// Reads one person of one camera in Human3.6M's joints: `positions_2d` `[frames, 17, 2]` in pixels.
  mutating func readHuman36M(_ archive: NumPyArchiveReader) throws {
    let places = try Self.array("positions_2d", of: archive)
    let shape = places.header.shape
    let pointCount = Self.human36M.joints.count
    guard shape.count == 3, Array(shape.dropFirst()) == [pointCount, 2] else {
      throw PoseFile.Malformed(
        description:
          "its array positions_2d has the shape \(shape), where [frames, \(pointCount), 2] "
          + "is read")
    }
    try PoseFile.check(frameCount: shape[0], personCount: 1)
    for number in 0..<shape[0] {
      let frame = try add(Frame(number: number))
      let values = try places.read(2 * pointCount).floats
      var person = try Self.person(values, nil, Self.human36M, frame: number)
      person.id = 1
      try add(person, toFrame: frame)
    }
  }

  private static func array(
    _ name: String, of archive: NumPyArchiveReader
  ) throws -> NumPyArchiveReader.Entry {
    guard let entry = try archive.entry(name) else {
      throw PoseFile.Malformed(description: "it has no array named \(name)")
    }
    return entry
  }

  /// The height and width of the pictures, as MMAction2 orders them.
  private static func pictureSize(
    of archive: NumPyArchiveReader
  ) throws -> (width: Int, height: Int)? {
    for name in ["img_shape", "original_shape"] where archive.has(name) {
      let array = try Self.array(name, of: archive)
      guard array.header.shape == [2] else {
        throw PoseFile.Malformed(
          description: "its array \(name) has the shape \(array.header.shape), not [2]")
      }
      let sides = try array.read(2).integers
      return (width: sides[1], height: sides[0])
    }
    return nil
  }

  /// A person from the places of points and their confidences; without those, a place other than (0, 0) counts as
  /// seen, and one that is no number as missing.
  private static func person(
    _ values: [Float], _ confidences: [Float]?, _ layout: PointLayout, frame: Int
  ) throws -> Person {
    var person = Person()
    for (index, key) in layout.joints.enumerated() where 2 * index + 1 < values.count {
      let (x, y) = (values[2 * index], values[2 * index + 1])
      let confidence = confidences?[index] ?? (x != 0 || y != 0 ? 1 : 0)
      guard let key, key != .root, !x.isNaN, !y.isNaN, confidence > 0 else { continue }
      guard x.isFinite, y.isFinite, confidence.isFinite else {
        throw PoseFile.Malformed(
          description: "it has a place or a score that is infinite, the first in frame \(frame)")
      }
      person.points[key] = SIMD3(x, y, confidence)
    }
    return person
  }
}
