import Foundation
import KinemaFiles
import KinemaPose

/// How far and where each part of the body moves in a repetition, in the picture.
///
/// Lengths are in units of the trunk's, angles in degrees in the picture, times in seconds. What is seen
/// depends on the view; how *much* the trunk, the head and the limbs that have nothing to do move does so
/// less than where they are. Of 14 joints that are seen in half of the frames; others have none.
package struct RepetitionExtents: Sendable {
  /// The extents by their names.
  package private(set) var values: [String: Float] = [:]

  /// The shares of the least and of the largest values that are left out of an extent.
  private static let tail: Float = 0.02
  /// The percentile that stands for the longest of noisy lengths.
  private static let longest: Float = 0.9
  /// The least share of the frames in which a place is seen.
  private static let leastShare: Float = 0.5

  private typealias Frame = BodyTrack.Frame

  /// `nil` where the trunk is hidden.
  package init?(_ track: BodyTrack, _ frames: Range<Int>) {
    let all = track.frames[frames]
    let least = max(
      RepetitionPhases.leastFrames, Int(saturating: Self.leastShare * Float(all.count)))
    /// Sorted; `nil` where it is seen too rarely.
    func series(_ value: (Frame) -> Float?) -> [Float]? {
      let values = all.compactMap(value).sorted()
      return values.count >= least ? values : nil
    }
    guard let trunks = series({ Self.trunk(of: $0)?.length }),
      let first = all.first, let last = all.last
    else { return nil }
    let unit = Self.quantile(trunks, Self.longest)
    guard unit > 0 else { return nil }

    func add(_ name: String, _ value: Float?) { if let value { values[name] = value } }
    func range(_ sorted: [Float]?) -> Float? { sorted.map(Self.range) }
    func low(_ sorted: [Float]?) -> Float? { sorted.map { Self.quantile($0, Self.tail) } }
    func high(_ sorted: [Float]?) -> Float? { sorted.map { Self.quantile($0, 1 - Self.tail) } }
    /// Of both sides: the one that moves more, and the other.
    func sides(_ value: (Frame, Side) -> Float?) -> (more: [Float], less: [Float])? {
      let both = Side.allCases.compactMap { side in series { value($0, side) } }
        .sorted { Self.range($0) > Self.range($1) }
      return both.first.flatMap { more in both.last.map { (more, $0) } }
    }

    let leans = series { frame in
      Self.trunk(of: frame).map { atan2f($0.x, $0.y) * 180 / .pi }
    }
    add("sway of the trunk", range(leans))
    add("lean of the trunk", leans.map { max(abs($0[0]), abs($0[$0.count - 1])) })
    add("shortening of the trunk", Self.range(trunks) / unit)
    let heads = { (frame: Frame) -> SIMD3<Float>? in
      guard frame.confidences[.nose] >= BodyTrack.leastConfidence,
        let shoulders = frame.place(.shoulders)
      else { return nil }
      return (frame.places[.nose] - shoulders) / unit
    }
    add("nodding of the head", range(series { heads($0)?.y }))
    add("turning of the head", range(series { heads($0)?.x }))
    add("lowest place of the head", low(series { heads($0)?.y }))
    for (name, left, right) in [
      ("shoulders", Joint.shoulder(.left), Joint.shoulder(.right)),
      ("hips", .hip(.left), .hip(.right)),
    ] {
      let line = { (frame: Frame) -> SIMD3<Float>? in
        frame.place(left).flatMap { left in frame.place(right).map { (left - $0) / unit } }
      }
      let widths = series { line($0).map { abs($0.x) } }
      add("tilting of the \(name)", range(series { line($0)?.y }))
      add("turning of the \(name)", range(widths))
      add("width of the \(name)", widths.map { Self.quantile($0, 0.5) })
    }
    for (name, joint) in [("hips", Joint.hips), ("shoulders", .shoulders)] {
      let above = { (frame: Frame) -> SIMD3<Float>? in
        frame.place(joint).flatMap { place in frame.place(.ankles).map { (place - $0) / unit } }
      }
      let heights = series { above($0)?.y }
      add("travel of the \(name)", range(heights))
      add("drift of the \(name)", range(series { above($0)?.x }))
      add("lowest place of the \(name)", low(heights))
    }
    for joint in JointAngle.allCases {
      let angles = sides { frame, side in
        let (one, middle, other) = joint.joints(side)
        guard let centre = frame.place(middle), let one = frame.place(one),
          let other = frame.place(other)
        else { return nil }
        return BodyMeter.degrees(one - centre, other - centre)
      }
      add("bending of the \(joint.rawValue)", range(angles?.more))
      add("bending of the other \(joint.rawValue)", range(angles?.less))
      add("smallest angle of the \(joint.rawValue)", low(angles?.more))
      add("largest angle of the \(joint.rawValue)", high(angles?.more))
      add("smallest angle of the other \(joint.rawValue)", low(angles?.less))
    }
    let pairs: [(String, (Side) -> Joint)] = [("knees", { .knee($0) }), ("feet", { .ankle($0) })]
    for (name, joint) in pairs {
      let distances = series { frame in
        frame.place(joint(.left)).flatMap { left in
          frame.place(joint(.right)).map { (left - $0).length / unit }
        }
      }
      add("opening of the \(name)", range(distances))
      add("largest distance of the \(name)", high(distances))
      add("smallest distance of the \(name)", low(distances))
    }
    let limbs: [(String, Joint, (Side) -> Joint)] = [
      ("hand", .shoulders, { .wrist($0) }), ("elbow", .shoulders, { .elbow($0) }),
      ("foot", .hips, { .ankle($0) }), ("knee", .hips, { .knee($0) }),
    ]
    for (name, origin, joint) in limbs {
      let way = { (frame: Frame, side: Side) -> SIMD3<Float>? in
        frame.place(origin).flatMap { origin in
          frame.place(joint(side)).map { ($0 - origin) / unit }
        }
      }
      let (heights, breadths) = (sides { way($0, $1)?.y }, sides { way($0, $1)?.x })
      add("travel of the \(name)", range(heights?.more))
      add("travel of the other \(name)", range(heights?.less))
      add("highest place of the \(name)", high(heights?.more))
      add("drift of the \(name)", range(breadths?.more))
      add("drift of the other \(name)", range(breadths?.less))
    }
    add("time", Float(last.time - first.time))
  }

  private static func trunk(of frame: Frame) -> SIMD3<Float>? {
    frame.place(.hips).flatMap { hips in frame.place(.shoulders).map { $0 - hips } }
  }

  private static func range(_ sorted: [Float]) -> Float {
    quantile(sorted, 1 - tail) - quantile(sorted, tail)
  }

  private static func quantile(_ sorted: [Float], _ share: Float) -> Float {
    let place = share * Float(sorted.count - 1)
    let low = Int(saturating: place)
    let high = min(low + 1, sorted.count - 1)
    return sorted[low] + (sorted[high] - sorted[low]) * (place - Float(low))
  }
}
