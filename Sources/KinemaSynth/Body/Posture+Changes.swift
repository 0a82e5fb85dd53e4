extension Posture.Limbs {
  /// How the arm is held while the hand is free.
  package var arm: ArmHold {
    get { ArmHold(raise: armRaise, forward: armForward, reach: armReach) }
    set { (armRaise, armForward, armReach) = (newValue.raise, newValue.forward, newValue.reach) }
  }
}

extension Posture {
  package func changed(_ change: (inout Posture) -> Void) -> Posture {
    var posture = self
    change(&posture)
    return posture
  }

  /// Changes where both ankles are, keeping each on its side.
  package mutating func setAnkles(_ change: (inout Vector) -> Void) {
    change(&left.ankle)
    change(&right.ankle)
  }

  /// The same with both arms held alike; what is `nil` stays.
  package func arms(raise: Float? = nil, forward: Float? = nil, reach: Float? = nil) -> Posture {
    leftArm(raise: raise, forward: forward, reach: reach)
      .rightArm(raise: raise, forward: forward, reach: reach)
  }

  /// The same with both arms held alike.
  package func arms(_ hold: ArmHold) -> Posture {
    arms(raise: hold.raise, forward: hold.forward, reach: hold.reach)
  }

  /// The same with the left arm held differently; what is `nil` stays.
  package func leftArm(raise: Float? = nil, forward: Float? = nil, reach: Float? = nil) -> Posture {
    changed { posture in
      posture.left.armRaise = raise ?? left.armRaise
      posture.left.armForward = forward ?? left.armForward
      posture.left.armReach = reach ?? left.armReach
    }
  }

  /// The same with the right arm held differently; what is `nil` stays.
  package func rightArm(raise: Float? = nil, forward: Float? = nil, reach: Float? = nil) -> Posture
  {
    mirrored.leftArm(raise: raise, forward: forward, reach: reach).mirrored
  }

  package func planted(_ hand: Vector) -> Posture {
    changed { posture in
      posture.forBothSides { limbs, mirror in
        limbs.hand = mirror(hand)
        limbs.planted = 1
      }
    }
  }

  package var unplanted: Posture {
    changed { posture in posture.forBothSides { limbs, _ in limbs.planted = 0 } }
  }

  /// The same, a way up, down or aside: pelvis, ankles and planted hands.
  package func moved(by way: Vector) -> Posture {
    changed { posture in
      posture.pelvis += way
      for side in [\Posture.left, \Posture.right] {
        posture[keyPath: side].ankle += way
        posture[keyPath: side].hand += way
      }
    }
  }
}
