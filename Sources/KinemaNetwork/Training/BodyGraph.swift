/// The graph of the body that Create ML's action network mixes joints by: three sums a joint, of
/// itself, of its neighbours no nearer to the neck, and of those nearer, each divided by
/// 1 + the number of neighbours (spatial partitioning, Yan et al., AAAI 2018, §3.3).
enum BodyGraph {
  static let jointCount = 18
  /// The sums of a joint.
  static let partCount = 3

  private static let neck = 1

  /// The joints in the order in which blobs hold them: first those that have a neighbour nearer to
  /// the neck; the last part of all others is empty, and skipped.
  static let order: [Int] = {
    let near = (0..<jointCount).filter { !sources($0, part: partCount - 1).joints.isEmpty }
    return near + (0..<jointCount).filter { !near.contains($0) }
  }()
  /// The joints that have a neighbour nearer to the neck.
  static let nearCount = (0..<jointCount).count {
    !sources($0, part: partCount - 1).joints.isEmpty
  }
  static let places: [Int] = (0..<jointCount).map { order.firstIndex(of: $0) ?? 0 }

  static func placedSources(_ place: Int, part: Int) -> (places: [Int], factor: Float) {
    let (joints, factor) = sources(order[place], part: part)
    return (joints.map { places[$0] }, factor)
  }
  private static let edges = [
    (0, 1), (1, 2), (2, 3), (3, 4), (1, 5), (5, 6), (6, 7), (2, 8), (8, 9), (9, 10), (5, 11),
    (11, 12), (12, 13), (0, 14), (0, 15), (14, 16), (15, 17),
  ]

  private static func neighbours(_ joint: Int) -> [Int] {
    edges.compactMap { $0.0 == joint ? $0.1 : $0.1 == joint ? $0.0 : nil }.sorted()
  }

  /// The steps to the neck, where all beyond one count as equally far.
  private static func distance(_ joint: Int) -> Int {
    joint == neck ? 0 : neighbours(joint).contains(neck) ? 1 : 2
  }

  /// The joints whose values a joint's part sums, and their common factor, which Create ML stores
  /// with four decimals.
  static func sources(_ joint: Int, part: Int) -> (joints: [Int], factor: Float) {
    let neighbours = neighbours(joint)
    let factor = (10_000 / Float(1 + neighbours.count)).rounded() / 10_000
    switch part {
    case 0: return ([joint], factor)
    case 1: return (neighbours.filter { distance($0) >= distance(joint) }, factor)
    default: return (neighbours.filter { distance($0) < distance(joint) }, factor)
    }
  }

  /// The weights of the fixed convolution, [18 joints out][3 parts × 18 joints in].
  static var matrix: [Float] {
    var matrix = [Float](repeating: 0, count: jointCount * partCount * jointCount)
    for joint in 0..<jointCount {
      for part in 0..<partCount {
        let (joints, factor) = sources(joint, part: part)
        for other in joints {
          matrix[(joint * partCount + part) * jointCount + other] = factor
        }
      }
    }
    return matrix
  }
}

/// Sums over joints as a kernel takes them: for each output, where its terms lie and their factors.
final class JointSums {
  let starts: [Int32]
  let offsets: [Int64]
  let weights: [Float]

  /// From [joints] to [joints][parts], `sequence` elements from joint to joint.
  static func forward(sequence: Int) -> JointSums {
    JointSums(
      (0..<(BodyGraph.jointCount * BodyGraph.partCount)).map { output in
        let (joints, factor) = BodyGraph.placedSources(
          output / BodyGraph.partCount, part: output % BodyGraph.partCount)
        return joints.map { ($0 * sequence, factor) }
      })
  }

  /// From the gradients of [joints][parts] back to those of [joints]; parts are `channels` apart.
  static func backward(sequence: Int, channels: Int) -> JointSums {
    JointSums(
      (0..<BodyGraph.jointCount).map { joint in
        (0..<(BodyGraph.jointCount * BodyGraph.partCount)).compactMap { output in
          let part = output % BodyGraph.partCount
          let (joints, factor) = BodyGraph.placedSources(output / BodyGraph.partCount, part: part)
          guard joints.contains(joint) else { return nil }
          return (output / BodyGraph.partCount * sequence + part * channels, factor)
        }
      })
  }

  private init(_ terms: [[(offset: Int, weight: Float)]]) {
    var starts: [Int32] = [0]
    for list in terms { starts.append(starts[starts.count - 1] + Int32(list.count)) }
    self.starts = starts
    offsets = terms.flatMap { $0 }.map { Int64($0.offset) }
    weights = terms.flatMap { $0 }.map(\.weight)
  }
}
