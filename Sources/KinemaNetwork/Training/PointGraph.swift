/// The graph that a graph network mixes points by: for each point some sums over points (spatial
/// partitioning, Yan et al., AAAI 2018, §3.3).
package struct PointGraph: Hashable, Sendable {
  /// A part of a point: the points whose values it sums, and their common factor.
  package struct Part: Hashable, Sendable {
    package let sources: [Int]
    package let factor: Float

    package init(_ sources: [Int], factor: Float) {
      (self.sources, self.factor) = (sources, factor)
    }
  }

  /// The parts of each point.
  private let parts: [[Part]]
  /// The points in the order in which blobs hold them: first those whose last part sums anything;
  /// that of all others is skipped.
  private let order: [Int]
  /// The points whose last part sums anything.
  let nearCount: Int
  /// Where blobs hold each point.
  let places: [Int]

  /// Creates a graph; ``NetworkTrainer`` checks it.
  ///
  /// - Parameter parts: The parts of each point, two or more, of all points as many; the last part of
  ///   some points is empty.
  package init(_ parts: [[Part]]) {
    self.parts = parts
    let near = parts.indices.filter { parts[$0].last?.sources.isEmpty == false }
    order = near + parts.indices.filter { parts[$0].last?.sources.isEmpty != false }
    nearCount = near.count
    var places = order
    for (place, point) in order.enumerated() { places[point] = place }
    self.places = places
  }

  package var pointCount: Int { parts.count }
  /// The sums of a point.
  package var partCount: Int { parts.first?.count ?? 0 }

  /// Throws ``NetworkError`` for what no network can be made of.
  func check() throws {
    guard partCount > 1, parts.allSatisfy({ $0.count == partCount }), nearCount > 0,
      parts.joined().allSatisfy({ $0.sources.allSatisfy(parts.indices.contains) })
    else {
      throw NetworkError(
        .parameters, "a graph needs two parts or more for each point, which sum its own points")
    }
  }

  /// What a part of the point at a place sums, by places.
  func placedPart(_ place: Int, _ part: Int) -> Part {
    let part = parts[order[place]][part]
    return Part(part.sources.map { places[$0] }, factor: part.factor)
  }

  /// The sum of a part's factors for the point at each place, [points][parts].
  var shares: [Float] {
    order.flatMap { parts[$0].map { Float($0.sources.count) * $0.factor } }
  }

  /// The weights of the fixed convolution, [points out][parts × points in].
  var matrix: [Float] {
    parts.flatMap { point in
      point.flatMap { part in
        parts.indices.map { part.sources.contains($0) ? part.factor : 0 }
      }
    }
  }
}

/// Sums over points as a kernel takes them: for each output, where its terms lie and their factors.
final class PointSums {
  let starts: [Int32]
  let offsets: [Int64]
  let weights: [Float]

  /// From [points] to [points][parts], `sequence` elements from point to point.
  static func forward(_ graph: PointGraph, sequence: Int) -> PointSums {
    PointSums(
      (0..<(graph.pointCount * graph.partCount)).map { output in
        let part = graph.placedPart(output / graph.partCount, output % graph.partCount)
        return part.sources.map { ($0 * sequence, part.factor) }
      })
  }

  /// From the gradients of [points][parts] back to those of [points]; parts are `channels` apart.
  static func backward(_ graph: PointGraph, sequence: Int, channels: Int) -> PointSums {
    PointSums(
      (0..<graph.pointCount).map { place in
        (0..<(graph.pointCount * graph.partCount)).compactMap { output in
          let (target, number) = (output / graph.partCount, output % graph.partCount)
          let part = graph.placedPart(target, number)
          guard part.sources.contains(place) else { return nil }
          return (target * sequence + number * channels, part.factor)
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
