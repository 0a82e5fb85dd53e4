import KinemaSynth

/// Dresses a skeleton: the solids that make up a person.
///
/// Pose networks need the face: without eyes and hair they take the back for the front.
struct FigureSolids {
  private let body: Skeleton
  private let looks: SyntheticAppearance
  /// The person's size against the average, for whose body the numbers below are in metres.
  private let size: Float
  private let girth: Float
  private let trunkUp: Vector
  private(set) var solids: [Solid] = []

  init(body: Skeleton, person: SyntheticPerson, appearance: SyntheticAppearance) {
    self.body = body
    looks = appearance
    size = person.stature / SyntheticPerson.average.stature
    girth = size * person.girth
    trunkUp = (body.neck - body.root).normalized
    solids.reserveCapacity(64)
    addTrunk()
    addHead()
    for side in [body.left, body.right] {
      addArm(side)
      addLeg(side)
      addFoot(side)
    }
  }

  private mutating func addTrunk() {
    let belt = body.root + trunkUp * (0.07 * size)
    let waist = blend(body.root, body.neck, 0.45)
    let chest = blend(body.root, body.neck, 0.86)
    let flat = body.chestForward
    solids += [
      .limb(body.root - trunkUp * (0.03 * size), 0.1 * girth, belt, 0.134 * girth, looks.trousers)
        .flattened(along: flat, to: 0.8),
      .limb(belt + trunkUp * (0.02 * size), 0.136 * girth, waist, 0.134 * girth, looks.shirt)
        .flattened(along: flat, to: 0.78),
      .limb(waist, 0.134 * girth, chest, 0.162 * girth, looks.shirt)
        .flattened(along: flat, to: 0.7),
      .limb(
        body.left.shoulder - trunkUp * (0.012 * size), 0.06 * girth,
        body.right.shoulder - trunkUp * (0.012 * size), 0.06 * girth, looks.shirt),
    ]
    for side in [body.left, body.right] {
      let armpit = blend(side.shoulder, body.neck, 0.3) - trunkUp * (0.07 * size)
      let flank = blend(side.hip, body.root, 0.15) + trunkUp * (0.11 * size)
      let seat = blend(side.hip, body.root, 0.15) - flat * (0.034 * size)
      solids += [
        .limb(armpit, 0.085 * girth, flank, 0.078 * girth, looks.shirt)
          .flattened(along: flat, to: 0.85),
        .limb(
          side.shoulder, 0.05 * girth, body.neck + trunkUp * (0.045 * size), 0.045 * girth,
          looks.shirt),
        .limb(seat, 0.088 * girth, blend(seat, belt, 0.6), 0.09 * girth, looks.trousers),
      ]
    }
  }

  private mutating func addArm(_ side: Skeleton.Side) {
    let sleeve = looks.hasLongSleeves ? looks.shirt : looks.skin
    let hem = blend(side.shoulder, side.elbow, 0.55)
    let knuckles = blend(side.wrist, side.fingertips, 0.55)
    solids += [
      .limb(side.shoulder, 0.05 * girth, side.elbow, 0.04 * girth, sleeve),
      .limb(side.shoulder, 0.06 * girth, hem, 0.054 * girth, looks.shirt),
      .limb(side.elbow, 0.041 * girth, side.wrist, 0.028 * girth, sleeve),
      .limb(side.wrist, 0.028 * size, knuckles, 0.038 * size, looks.skin),
      .limb(knuckles, 0.034 * size, side.fingertips, 0.02 * size, looks.skin),
    ]
  }

  private mutating func addLeg(_ side: Skeleton.Side) {
    let shin = looks.hasLongTrousers ? looks.trousers : looks.skin
    let calf = blend(side.knee, side.ankle, 0.3)
    solids += [
      .limb(side.hip, 0.09 * girth, side.knee, 0.057 * girth, shin),
      .limb(side.knee, 0.056 * girth, calf, 0.056 * girth, shin),
      .limb(calf, 0.056 * girth, side.ankle, 0.039 * girth, shin),
    ]
    if !looks.hasLongTrousers {
      let hem = blend(side.hip, side.knee, 0.7)
      solids.append(.limb(side.hip, 0.093 * girth, hem, 0.076 * girth, looks.trousers))
    }
  }

  private mutating func addFoot(_ side: Skeleton.Side) {
    let instep = side.ball - side.ankle
    let ahead = Vector(instep.x, 0, instep.z).normalized
    let lateral = Vector.up.cross(ahead)
    let down = lateral.cross(instep.normalized)
    let heel = side.ankle - instep * 0.28 + down * (0.04 * size)
    let toes = side.ball + ahead * (0.06 * size)
    solids += [
      .limb(side.ankle, 0.042 * size, side.ball, 0.036 * size, looks.shoes),
      .limb(heel, 0.033 * size, side.ball, 0.033 * size, looks.shoes),
      .limb(side.ball, 0.036 * size, toes, 0.028 * size, looks.shoes),
    ]
  }

  private mutating func addHead() {
    let (up, forward) = (body.headUp * size, body.headForward * size)
    let lateral = body.headUp.cross(body.headForward)
    let skull = body.head + up * 0.035 - forward * 0.012
    let chin = body.head - up * 0.078 + forward * 0.026
    let crown = body.head + up * 0.055 - forward * 0.028
    let nape = body.head - up * 0.03 - forward * 0.05
    let throat = body.neck - trunkUp * (0.02 * size)
    let jaw = body.head - up * 0.06 - forward * 0.02
    let bridge = body.head + up * 0.02 + forward * 0.078
    let tip = body.nose - forward * 0.018
    let mouth = body.head - up * 0.052 + forward * 0.077
    let corner = lateral * (0.024 * size)
    let lips = looks.skin * SIMD3(0.8, 0.5, 0.52)
    let head: Solid = .limb(skull, 0.092 * size, chin, 0.05 * size, looks.skin)
    let hair: Solid = .limb(crown, 0.1 * size, nape, 0.08 * size, looks.hair)
    solids += [
      .limb(throat, 0.06 * size, jaw, 0.054 * size, looks.skin),
      head.flattened(along: lateral, to: 0.86),
      hair.flattened(along: lateral, to: 0.88),
      .limb(bridge, 0.012 * size, tip, 0.019 * size, looks.skin * 0.96),
      .limb(mouth - corner, 0.008 * size, mouth + corner, 0.008 * size, lips),
    ]
    if looks.hasLongHair {
      solids.append(
        .limb(nape, 0.088 * size, nape - up * 0.13 - forward * 0.01, 0.06 * size, looks.hair))
    }
    for (side, outward) in [(body.left, lateral * size), (body.right, -lateral * size)] {
      let eye = side.eye - forward * 0.016
      let pupil = eye + forward * 0.01
      let outer: SIMD3<Float> = eye + up * 0.026 + outward * 0.018 + forward * 0.002
      let inner: SIMD3<Float> = eye + up * 0.028 - outward * 0.014 + forward * 0.006
      let rim = up * 0.014
      solids += [
        .ball(eye, 0.0155 * size, SIMD3(0.95, 0.95, 0.94)),
        .ball(pupil, 0.0085 * size, SIMD3(0.12, 0.09, 0.08)),
        .limb(outer, 0.006 * size, inner, 0.006 * size, looks.hair),
        .limb(side.ear + rim, 0.018 * size, side.ear - rim, 0.012 * size, looks.skin * 0.93),
      ]
    }
  }
}
