import Foundation
import KinemaErrors
import KinemaFiles

extension ForeignPoses {
  /// Reads markers in three dimensions (`.trc`; OpenSim documentation, “Marker (.trc) Files”) as a person seen
  /// from the front by a camera that is far away.
  ///
  /// Of the markers those are read that are joints by their names, such as Pose2Sim's and Kinema's. The front
  /// is where the person faces in the mean; up is y, or z where the person's length is along it.
  mutating func readMarkers(_ data: Data, name: String) throws {
    var keys: [(key: JointKey, column: Int)] = []
    var header = 0
    var times: [Double] = []
    var places: [[JointKey: SIMD3<Double>]] = []
    try NumberRows(data, name: name).forEach { row in
      header += 1
      if header == 4 {
        // Names stand above the first of three columns each.
        let names = row.cells.indices.dropFirst(2).map(row.text).filter { !$0.isEmpty }
        for (number, name) in names.enumerated() {
          guard case .joint(let key)? = PointName(name) else { continue }
          keys.append((key, 2 + 3 * number))
        }
      }
      guard header > 5, let time = try row.number(1) else { return }
      try PoseFile.check(frameCount: times.count + 1, personCount: 0)
      times.append(time)
      var frame: [JointKey: SIMD3<Double>] = [:]
      for (key, column) in keys {
        guard let x = try row.number(column), let y = try row.number(column + 1),
          let z = try row.number(column + 2)
        else { continue }
        frame[key] = SIMD3(x, y, z)
      }
      places.append(frame)
    }
    guard let view = FrontView(of: places) else {
      throw PoseFile.Malformed(
        description:
          "its markers have no names of both shoulders and hips, such as RShoulder and LHip")
    }
    isUpright = true
    notes.append(MessageText("markersFromFront"))
    for (number, (time, frame)) in zip(times, places).enumerated() {
      let index = try add(Frame(number: number, time: time, size: view.size))
      let points = frame.mapValues { place in
        let seen = view.project(place)
        return SIMD3(Float(seen.x), Float(seen.y), 1)
      }
      try add(Person(id: 1, points: points), toFrame: index)
    }
  }
}

/// How a person is seen from the front, from far away, in a picture that holds all of the movement.
private struct FrontView {
  /// In pixels, of equal sides in space.
  let size: (width: Int, height: Int)
  private let right: SIMD3<Double>
  private let up: SIMD3<Double>
  private let corner: SIMD2<Double>
  private let extent: SIMD2<Double>

  /// The longer side of the picture in pixels.
  private static let side = 1000.0
  /// Room on each side as a share of what is seen.
  private static let margin = 0.1

  /// - Returns: `nil` where shoulders and hips are not known.
  init?(of frames: [[JointKey: SIMD3<Double>]]) {
    var (length, across) = (SIMD3<Double>(), SIMD3<Double>())
    for frame in frames {
      guard let leftHip = frame[.leftHip], let rightHip = frame[.rightHip],
        let leftShoulder = frame[.leftShoulder], let rightShoulder = frame[.rightShoulder]
      else { continue }
      length += leftShoulder + rightShoulder - leftHip - rightHip
      // A person seen from the front has the left side at the right of the picture.
      across += leftShoulder + leftHip - rightShoulder - rightHip
    }
    up = length.z.magnitude > 2 * length.y.magnitude ? SIMD3(0, 0, 1) : SIMD3(0, 1, 0)
    across -= up * (across * up).sum()
    let width = (across * across).sum().squareRoot()
    guard width > 0 else { return nil }
    right = across / width
    var lower = SIMD2<Double>(repeating: .infinity)
    var upper = SIMD2<Double>(repeating: -.infinity)
    for place in frames.lazy.flatMap(\.values) {
      let seen = SIMD2((place * right).sum(), (place * up).sum())
      lower = pointwiseMin(lower, seen)
      upper = pointwiseMax(upper, seen)
    }
    let room = (upper - lower).max() * Self.margin
    corner = lower - room
    extent = upper - lower + 2 * room
    guard extent.min() > 0, extent.max().isFinite else { return nil }
    let pixels = extent * (Self.side / extent.max())
    guard let width = Int(exactly: max(1, pixels.x.rounded())),
      let height = Int(exactly: max(1, pixels.y.rounded()))
    else { return nil }
    size = (width, height)
  }

  /// In fractions of the picture, from its lower left corner.
  func project(_ place: SIMD3<Double>) -> SIMD2<Double> {
    (SIMD2((place * right).sum(), (place * up).sum()) - corner) / extent
  }
}
