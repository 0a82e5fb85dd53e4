import Foundation
import KinemaFiles

/// The columns of a table of poses: a row a frame with columns for each point, as scripts around MediaPipe
/// write it, or a row a point.
///
/// Points are named (`NOSE_x`, `left_hip_visibility`) or numbered in the order of MediaPipe or COCO (`x0`,
/// `landmark_00_x`, from 0 or 1); others, such as those of hands and the face, are ignored.
struct PoseColumns {
  /// Where the values of a point stand; without a confidence it is 1.
  struct Point {
    var x: Int?
    var y: Int?
    var confidence: Int?

    fileprivate mutating func set(_ axis: PointName.Axis, _ column: Int) {
      switch axis {
      case .x: x = x ?? column
      case .y: y = y ?? column
      case .confidence: confidence = confidence ?? column
      }
    }
  }

  enum Shape {
    case rowPerFrame([JointKey: Point])
    /// With the column that names the point.
    case rowPerPoint(name: Int, Point)
  }

  let shape: Shape
  private(set) var frame: Int?
  private(set) var time: Int?
  private(set) var isInMilliseconds = false
  private(set) var person: Int?
  private(set) var hand: Int?
  private(set) var width: Int?
  private(set) var height: Int?
  /// Whether it is a table of Kinema, where y points up.
  let isOfKinema: Bool

  private static let kinemaHeader = ["frame", "time", "person", "joint", "x", "y", "confidence"]
  private static let leastJointCount = 5

  /// - Parameter head: The beginning of a file.
  init?(head: Data) {
    // A first line without an end is that of a file without rows, or no text.
    guard let end = head.firstIndex(where: { [10, 13].contains($0) }),
      // What is no text has no columns.
      let table = try? CSV(head[..<end], name: ""), let header = table.rows.first?.cells
    else { return nil }
    self.init(header)
  }

  init?(_ header: [String]) {
    isOfKinema = header.starts(with: Self.kinemaHeader)
    let names = header.map { PointName.words(of: $0).joined() }
    func column(_ words: String...) -> Int? { names.firstIndex(where: words.contains) }
    var wide: [PointName: Point] = [:]
    for (index, cell) in header.enumerated() {
      if let (point, axis) = PointName.column(cell) {
        wide[point, default: Point()].set(axis, index)
      }
    }
    wide = wide.filter { $0.value.x != nil && $0.value.y != nil }
    let byJoint = Self.joints(of: wide)
    if byJoint.count >= Self.leastJointCount {
      shape = .rowPerFrame(byJoint)
    } else {
      guard
        let name = column(
          "joint", "jointname", "landmark", "landmarkname", "landmarkid",
          "landmarkindex", "landmarkidx", "keypoint", "bodypart", "name"),
        let x = column("x"), let y = column("y")
      else { return nil }
      let confidence = column("confidence", "visibility", "v", "vis", "score", "likelihood")
      shape = .rowPerPoint(name: name, Point(x: x, y: y, confidence: confidence))
    }
    frame = column(
      "frame", "framenumber", "frameid", "frameidx", "frameindex", "frameno", "framenum")
    isInMilliseconds = column("timems", "timestampms", "ms", "milliseconds", "timemsec") != nil
    time =
      column("timems", "timestampms", "ms", "milliseconds", "timemsec")
      ?? column(
        "time", "times", "timestamp", "timestamps", "seconds", "sec", "timesec", "timeseconds")
    person = column("person", "personid", "trackid", "poseid", "poseindex", "poseidx", "subject")
    hand = column("hand")
    (width, height) = (
      column("width", "imagewidth", "framewidth"),
      column("height", "imageheight", "frameheight")
    )
  }

  /// The joint of a point's name or number in a table with a row a point.
  static func joint(_ name: String) -> JointKey? {
    switch PointName(name) {
    case .joint(let key): key
    case .number(let number): PointLayout(pointCount: 33)?[number]
    case nil: nil
    }
  }

  private static func joints(of points: [PointName: Point]) -> [JointKey: Point] {
    var joints: [JointKey: Point] = [:]
    var numbered: [Int: Point] = [:]
    for (name, point) in points {
      switch name {
      case .joint(let key): joints[key] = point
      case .number(let number): numbered[number] = point
      }
    }
    // MediaPipe's own numbers begin with 0, those of some scripts with 1.
    let first = numbered[0] == nil ? 1 : 0
    guard joints.isEmpty, let last = numbered.keys.max(),
      let layout = PointLayout(pointCount: last - first + 1)
    else { return joints }
    for (number, point) in numbered {
      if let key = layout[number - first], key != .root { joints[key] = point }
    }
    return joints
  }
}
