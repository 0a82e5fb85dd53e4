/// The lengths of a person's limbs in the picture, from which a limb that points towards the camera
/// is recognised: it looks shorter than it is.
///
/// A limb's length is the longest that it is seen (95th percentile). One that is never seen at full
/// length, by what is usual for the size of the person, gets that, with a larger error.
struct BodyLengths: Sendable {
  enum Segment: CaseIterable, Sendable {
    case trunk, thigh, shank, upperArm, forearm

    /// The usual length as a share of stature, between the joints' centres.
    ///
    /// After D. A. Winter, *Biomechanics and Motor Control of Human Movement*, 4th ed., 2009, fig. 4.1.
    var share: Float {
      switch self {
      case .trunk: 0.288
      case .thigh: 0.245
      case .shank: 0.246
      case .upperArm: 0.172
      case .forearm: 0.150
      }
    }

    func ends(_ side: Side) -> (Joint, Joint) {
      switch self {
      case .trunk: (.hips, .shoulders)
      case .thigh: (.hip(side), .knee(side))
      case .shank: (.knee(side), .ankle(side))
      case .upperArm: (.shoulder(side), .elbow(side))
      case .forearm: (.elbow(side), .wrist(side))
      }
    }
  }

  struct Length: Sendable {
    var length: Float
    /// The standard error as a share of the length.
    var error: Float
  }

  /// The person's stature, in the unit of places.
  let stature: Float
  private let lengths: [Segment: Length]

  /// The distances of shoulders and of hips, as shares of stature.
  static let widths: (shoulders: Float, hips: Float) = (0.215, 0.118)
  /// The share of the usual length from which a limb counts as seen at full length.
  static let leastShare: Float = 0.78
  /// The errors of a length that is seen and of one that is inferred.
  static let errors: (seen: Float, inferred: Float) = (0.04, 0.1)
  /// The percentile that stands for the longest of noisy lengths.
  static let percentile = 0.95
  /// The least number of limbs by which the size of a person is known.
  static let leastSegments = 2

  /// `nil` where too little of the person is visible.
  init?(_ track: BodyTrack, _ frames: Range<Int>) {
    var seen: [Segment: Float] = [:]
    for segment in Segment.allCases {
      var lengths: [Float] = []
      for frame in track.frames[frames] {
        for side in Side.allCases {
          let ends = segment.ends(side)
          guard let start = frame.place(ends.0), let end = frame.place(ends.1) else { continue }
          lengths.append((end - start).length)
        }
      }
      guard lengths.count >= 4 else { continue }
      lengths.sort()
      seen[segment] = lengths[Int(Double(lengths.count - 1) * Self.percentile)]
    }
    // The median, of an even number the larger one: limbs may be foreshortened, or nearer.
    let statures = seen.map { $1 / $0.share }.sorted()
    guard statures.count >= Self.leastSegments else { return nil }
    let stature = statures[statures.count / 2]
    guard stature > 0 else { return nil }
    self.stature = stature
    lengths = Dictionary(
      uniqueKeysWithValues: Segment.allCases.map { segment in
        let usual = segment.share * stature
        if let own = seen[segment], own >= Self.leastShare * usual {
          return (segment, Length(length: own, error: Self.errors.seen))
        }
        return (segment, Length(length: usual, error: Self.errors.inferred))
      })
  }

  subscript(segment: Segment) -> Length {
    lengths[segment] ?? Length(length: segment.share * stature, error: Self.errors.inferred)
  }
}

extension SIMD3<Float> {
  var length: Float { (self * self).sum().squareRoot() }
}
