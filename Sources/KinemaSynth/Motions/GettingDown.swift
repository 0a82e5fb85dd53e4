extension Style {
  /// Standing, or walking up, for some seconds until the person stands at the origin.
  mutating func arriving(in script: inout FallScript, rest: Posture, seconds: Double) {
    guard chance(0.7) else {
      script.add(rest, after: Float(seconds))
      return
    }
    walk(in: &script, to: rest, seconds: seconds)
  }

  /// Walking to the origin, from the start of the script.
  mutating func walk(in script: inout FallScript, to rest: Posture, seconds: Double) {
    let gait = gait(step: 0.08...0.22, lift: 0.02...0.1, swing: 0.05...0.5)
    let (step, length) = (Double(uniform(0.4...0.8)), stature(0.2...0.5))
    script.speed = length / Float(step)
    let starts = Array(stride(from: 0, to: max(seconds, step), by: step))
    func place(_ steps: Float) -> Vector { Vector(0, 0, -length * (Float(starts.count) - steps)) }
    script.moments = []
    for (index, start) in starts.enumerated() {
      let (touching, passing) = (gait.postures[0], gait.postures[1])
      let isOdd = index % 2 == 1
      script.moments += [
        (start, (isOdd ? touching.mirrored : touching).moved(by: place(Float(index)))),
        (
          start + step / 2,
          (isOdd ? passing.mirrored : passing).moved(by: place(Float(index) + 0.5))
        ),
      ]
    }
    script.moments.append((Double(starts.count) * step, rest))
  }

  /// Down onto a chair, a stool or a sofa, or onto the floor, fast or slowly; later up again.
  mutating func sitDown(in script: inout FallScript, rest: Posture) {
    let onFloor = chance(0.2)
    let seat =
      onFloor
      ? supine(bend: 0.4...0.8).moved(by: Vector(0, 0, -stature(0.1...0.3)))
      : sitting().changed { $0.pelvis.z = 0 }.moved(by: Vector(0, 0, -person.thigh))
    let height = onFloor ? seat.pelvis.y : hips(0.28...0.58)
    let seated = seat.changed { posture in
      posture.pelvis.y = height
      posture.pitch = uniform(-0.6...0.35)
    }
    let leaning = rest.changed { posture in
      posture.pelvis.y = (rest.pelvis.y + height) / 2
      posture.pelvis.z = seated.pelvis.z * 0.5
      posture.pitch = uniform(0.2...0.8)
    }
    let duration = onFloor ? uniform(1.2...4) : uniform(0.5...2.4)
    script.add(leaning, after: duration * 0.5)
    script.add(seated, after: duration * 0.5)
    // Leans back, reads, looks about.
    for _ in 0..<3 {
      script.add(
        seated.changed { posture in
          posture.pitch += chance(0.15) ? uniform(0.4...1.1) : uniform(-0.3...0.3)
          posture.nod = uniform(-0.3...0.5)
        }.arms(raise: uniform(0.2...0.9), forward: 1.4, reach: uniform(0.6...0.95)),
        after: uniform(0.6...2.5))
    }
    guard chance(0.5) else { return }
    script.add(leaning, after: uniform(0.4...1.2))
    script.add(rest, after: uniform(0.4...1.2))
    script.add(rest, after: 1.5)
  }

  /// Down to lie as one does on purpose: on the floor by crouching, sitting or kneeling, on a sofa or a bed by
  /// sitting.
  mutating func lieDown(in script: inout FallScript, rest: Posture) {
    let height: Float = chance(0.4) ? stature(0.2...0.33) : 0
    let duration = height > 0 ? uniform(1.4...5) : uniform(2.5...7)
    let onFront = height == 0 && chance(0.3)
    let bed = Vector(0, height, height > 0 ? -person.thigh : 0)
    let crouched = rest.changed { posture in
      posture.pelvis.y = hips(0.4)
      posture.pelvis.z = -stature(0.05...0.12)
      posture.pitch = uniform(0.4...1)
    }
    var between = onFront ? onAllFours() : supine(bend: 0.5...0.9).changed { $0.pitch = 0 }
    var ground = onFront ? prone() : chance(0.3) ? onSide() : supine(bend: 0.5...0.97)
    if height > 0 {
      between = sitting().changed { $0.pelvis.y = height + 0.1 }.moved(by: Vector(0, 0, bed.z))
      // Along the bed.
      ground = ground.moved(by: bed).changed { $0.heading = side() * uniform(1...1.6) }
    }
    let (first, second) = (uniform(0.3...0.4), uniform(0.55...0.7))
    if height == 0 { script.add(crouched, after: duration * first) }
    script.add(between, after: duration * (second - (height == 0 ? first : 0)))
    if chance(0.5) { script.add(between, after: uniform(0.2...3)) }
    script.add(ground, after: duration * (1 - second))
    lieStill(in: &script, until: script.end + Double(uniform(3...6)))
    guard chance(0.4) else { return }
    script.add(between, after: uniform(1...3))
    script.add(rest, after: uniform(1...3))
    script.add(rest, after: 1)
  }

  /// Down to crouch, kneel or bend for a while, fast or slowly, and up again.
  mutating func crouchDown(in script: inout FallScript, rest: Posture) {
    let low: Posture
    switch uniform(0...1) {
    case ..<0.35:
      low = rest.changed { posture in
        posture.pelvis.y = hips(0.3...0.5)
        posture.pelvis.z = -stature(0.08...0.18)
        posture.pitch = uniform(0.3...1)
        posture.nod = uniform(-0.2...0.5)
      }
    case ..<0.55: low = kneeling().changed { $0.pitch = uniform(0...0.9) }
    case ..<0.75: low = onAllFours().changed { $0.pitch += uniform(-0.1...0.4) }
    default:
      low = rest.changed { posture in
        posture.pelvis.y = hips(0.75...0.95)
        posture.pelvis.z = -stature(0.05...0.12)
        posture.pitch = uniform(0.9...1.9)
      }
    }
    for _ in 0..<pick([1, 1, 2]) {
      script.add(
        low.arms(raise: uniform(0.3...1.2), forward: 1.5, reach: 0.9), after: uniform(0.5...1.8))
      // Busy down there, more restless than who has fallen.
      for _ in 0..<pick([1, 3, 5]) {
        script.add(
          low.changed { posture in
            posture.pitch += uniform(-0.3...0.3)
            posture.twist = uniform(-0.4...0.4)
            posture.turn = uniform(-0.4...0.4)
            posture.pelvis += Vector(stature(-0.04...0.04), 0, stature(-0.04...0.04))
          }.arms(raise: uniform(0.2...1.5), forward: 1.5, reach: uniform(0.6...0.97)),
          after: uniform(0.4...1.3))
      }
      script.add(rest, after: uniform(0.5...1.8))
      script.add(rest, after: uniform(0.3...2))
    }
  }
}
