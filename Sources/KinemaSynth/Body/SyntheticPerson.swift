/// The lengths of a person's body, in metres.
///
/// The average is taken from D. A. Winter, *Biomechanics and Motor Control of Human Movement*
/// (segment lengths as shares of stature), with the widths brought in to the joints' centres.
package struct SyntheticPerson: Hashable, Codable, Sendable {
  /// The height from the floor to the crown.
  package var stature: Float
  /// From the middle of the hips to the middle of the shoulders.
  package var trunk: Float
  package var thigh: Float
  package var shank: Float
  package var ankleHeight: Float
  /// From the ankle to the ball of the foot.
  package var foot: Float
  package var upperArm: Float
  package var forearm: Float
  package var hand: Float
  package var shoulderWidth: Float
  package var hipWidth: Float
  /// From the middle of the shoulders to the middle of the ears.
  package var neck: Float
  /// How stout the limbs and the trunk are; 1 is average.
  package var girth: Float

  package init(stature: Float = 1.74) {
    self.stature = stature
    trunk = 0.288 * stature
    thigh = 0.245 * stature
    shank = 0.246 * stature
    ankleHeight = 0.045 * stature
    foot = 0.095 * stature
    upperArm = 0.172 * stature
    forearm = 0.150 * stature
    hand = 0.095 * stature
    shoulderWidth = 0.215 * stature
    hipWidth = 0.118 * stature
    neck = 0.112 * stature
    girth = 1
  }

  package static let average = SyntheticPerson()

  /// A person of any size from 1.5 to 1.95 m, with long or short limbs and any build.
  package static func random(using generator: inout some RandomNumberGenerator) -> SyntheticPerson {
    var person = SyntheticPerson(stature: generator.uniform(1.5...1.95))
    let limbs = generator.uniform(0.93...1.07)
    person.trunk *= generator.uniform(0.9...1.1)
    person.thigh *= limbs * generator.uniform(0.95...1.05)
    person.shank *= limbs * generator.uniform(0.95...1.05)
    person.upperArm *= limbs * generator.uniform(0.94...1.06)
    person.forearm *= limbs * generator.uniform(0.94...1.06)
    person.shoulderWidth *= generator.uniform(0.87...1.13)
    person.hipWidth *= generator.uniform(0.85...1.15)
    person.neck *= generator.uniform(0.9...1.1)
    person.girth = generator.uniform(0.88...1.2)
    return person
  }

  /// From the hip to the ankle with the knee straight.
  package var leg: Float { thigh + shank }

  /// From the shoulder to the wrist with the elbow straight.
  package var arm: Float { upperArm + forearm }
}
