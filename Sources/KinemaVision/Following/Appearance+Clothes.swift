import Foundation
import KinemaTracking
import KinemaVideo

/// Colour histograms of the trunk and the thighs, which identify people after an occlusion, and of
/// the head, which distinguishes people in the same clothes.
///
/// Of two opponent colours, divided by the intensity, and of the intensity in fewer cells: clothes
/// that turn to the light or away from it change their intensity only (van de Sande, Gevers and Snoek,
/// *Evaluating Color Descriptors for Object and Scene Recognition*, 2010). With trilinear weights,
/// so that small changes have small effects. At the difference that 98 % of the comparisons of one
/// person stay below, 0.9 % of those of two people in 89 real clips are confused, instead of 8.0 %
/// with red, green and blue in 8 × 8 × 8 cells; of 38 synthetic people none instead of 0.7 %.
extension Appearance {
  /// Samples along and across the trunk, and along each thigh.
  private static let grid = 8
  /// Samples across a thigh.
  private static let thighGrid = 3
  /// Fewest samples of a usable histogram.
  private static let minimumCount = 16
  /// The least length of a trunk whose colours are sampled, in pixels.
  private static let leastLength: Float = 4
  /// The sampled part of the trunk, from the shoulders down, and of a thigh, from the hip down: where
  /// it starts and how long it is, as shares of their lengths.
  private static let trunkPart = (start: Float(0.1), length: Float(0.75))
  private static let thighPart = (start: Float(0.15), length: Float(0.6))
  /// The width of the sampled trunk as a share of that of the shoulders, and at least of the trunk's
  /// length: seen from the side, the shoulders coincide.
  private static let widths = (shoulders: Float(0.7), trunk: Float(0.3))
  /// The distance of the samples across a thigh, as a share of the trunk's length.
  private static let thighStep: Float = 0.07
  /// The numbers of cells of both opponent colours and of the intensity.
  private static let levels = SIMD3(12, 12, 4)
  /// The intensity, of 255, up to which colours fade, because those of dark clothes are noise.
  private static let darkness: Float = 24

  /// Samples along and across the head.
  private static let headGrid = 6
  /// The side of the sampled head as a share of the trunk's length, and how far its middle is from
  /// the shoulders, as a share of the distance of the ears.
  private static let headPart = (side: Float(0.4), height: Float(1.1))

  /// The weights of trunk, thighs and head: with the head in all comparisons, `occluders` of seeds
  /// 11 to 13 have an IDF1 that is lower by 0.006.
  private static let weights: [Float] = [0.6, 0.4, 0]

  /// The points without whose finite places nothing is sampled, as far as a body has them.
  private static let requiredPoints: [BodyPoint] = [
    .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist,
    .leftLittleFinger, .rightLittleFinger, .leftIndexFinger, .rightIndexFinger, .leftThumb,
    .rightThumb, .leftHip, .rightHip, .leftKnee, .rightKnee,
  ]

  /// Samples the clothes of a body; `nil` if neither trunk nor thighs are in the frame, or if the
  /// body lacks shoulders or hips.
  ///
  /// - Parameter hidden: Outlines of bodies that may occlude this one; their area is ignored.
  init?(of body: BodyLandmarks, in frame: Frame, behind hidden: [BodyOutline] = []) {
    func point(_ name: BodyPoint) -> SIMD2<Float>? { body[name]?.position }
    guard let leftShoulder = point(.leftShoulder), let rightShoulder = point(.rightShoulder),
      let leftHip = point(.leftHip), let rightHip = point(.rightHip)
    else { return nil }
    let shoulders = (leftShoulder + rightShoulder) / 2
    let hips = (leftHip + rightHip) / 2
    let axis = hips - shoulders
    let length = axis.length
    guard length >= Self.leastLength,
      Self.requiredPoints.allSatisfy({ point($0)?.x.isFinite ?? true })
    else { return nil }
    let across = SIMD2(-axis.y, axis.x) / length
    let width = max(
      (leftShoulder - rightShoulder).length * Self.widths.shoulders, length * Self.widths.trunk)
    var trunkPlaces: [SIMD2<Float>] = []
    var thighPlaces: [SIMD2<Float>] = []
    var headPlaces: [SIMD2<Float>] = []
    if let left = point(.leftEar), let right = point(.rightEar) {
      let ears = (left + right) / 2
      let head = shoulders + (ears - shoulders) * Self.headPart.height
      headPlaces = (0..<Self.headGrid * Self.headGrid).map { index in
        let cell = SIMD2(Float(index % Self.headGrid), Float(index / Self.headGrid))
        let place: SIMD2<Float> = (cell + 0.5) / Float(Self.headGrid) - 0.5
        return head + place * length * Self.headPart.side
      }
    }
    let (trunk, thigh) = (Self.trunkPart, Self.thighPart)
    for row in 0..<Self.grid {
      let share = (Float(row) + 0.5) / Float(Self.grid)
      for column in 0..<Self.grid {
        let offset = ((Float(column) + 0.5) / Float(Self.grid) - 0.5) * width
        trunkPlaces.append(
          shoulders + axis * (trunk.start + trunk.length * share) + across * offset)
      }
      for (hip, knee) in [(leftHip, point(.leftKnee)), (rightHip, point(.rightKnee))] {
        guard let knee else { continue }
        let middle = hip + (knee - hip) * (thigh.start + thigh.length * share)
        for column in 0..<Self.thighGrid {
          let offset = (Float(column) - 1) * Self.thighStep * length
          thighPlaces.append(middle + SIMD2(offset, 0))
        }
      }
    }
    if !hidden.isEmpty {
      let isHidden = { (place: SIMD2<Float>) in hidden.contains { $0.contains(place) } }
      trunkPlaces.removeAll(where: isHidden)
      thighPlaces.removeAll(where: isHidden)
      headPlaces.removeAll(where: isHidden)
    }
    self.init(
      parts: [trunkPlaces, thighPlaces, headPlaces].map { Self.histogram(of: $0, in: frame) },
      weights: Self.weights)
  }

  private static func histogram(of places: [SIMD2<Float>], in frame: Frame) -> [Float] {
    var cells = [Float](repeating: 0, count: levels.x * levels.y * levels.z)
    var count = 0
    frame.withUnsafeBytes { bytes in
      for place in places
      where place.x >= 0 && place.y >= 0 && place.x < Float(frame.width)
        && place.y < Float(frame.height)
      {
        let offset = Int(place.y) * frame.bytesPerRow + Int(place.x) * 4
        let colour = SIMD3(
          Float(bytes[offset]), Float(bytes[offset + 1]), Float(bytes[offset + 2]))
        add(coordinates(of: colour), to: &cells)
        count += 1
      }
    }
    return count < minimumCount ? [] : cells.map { $0 / Float(count) }
  }

  /// Both opponent colours and the intensity, from 0 to 1.
  ///
  /// - Parameter colour: Red, green and blue, from 0 to 255.
  private static func coordinates(of colour: SIMD3<Float>) -> SIMD3<Float> {
    let intensity = colour.sum() / 3 + darkness
    let redGreen = (colour.x - colour.y) / intensity
    let yellowBlue = ((colour.x + colour.y) / 2 - colour.z) / intensity
    return SIMD3(
      atan(2 * redGreen) / .pi + 0.5, atan(2 * yellowBlue) / .pi + 0.5,
      log(intensity / darkness) / log((255 + darkness) / darkness))
  }

  /// - Parameter coordinates: The place in the histogram, from 0 to 1.
  private static func add(_ coordinates: SIMD3<Float>, to cells: inout [Float]) {
    let steps = SIMD3<Float>(levels &- 1)
    let place = coordinates * steps
    let low = place.rounded(.down).clamped(lowerBound: .zero, upperBound: steps - 1)
    let share = place - low
    for corner in 0..<8 {
      var (index, weight) = (0, Float(1))
      for axis in 0..<3 {
        let isHigh = corner >> axis & 1 == 1
        index = index * levels[axis] + Int(low[axis]) + (isHigh ? 1 : 0)
        weight *= isHigh ? share[axis] : 1 - share[axis]
      }
      cells[index] += weight
    }
  }
}
