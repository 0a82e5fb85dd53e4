extension SyntheticMotionClass {
  /// The classes of the model `Workout`: exercises, `other`, and everyday actions.
  package static let workout: [SyntheticMotionClass] =
    exercises + [
      SyntheticMotionClass(
        "other", share: 4, motions: otherMotions,
        weights: otherMotions.map { max($0.weight, 0.7) })
    ] + everyday

  private init(
    _ label: String, _ motions: KeyValuePairs<String, Float>, share: Double = 1, near: Float? = nil,
    back: Float = 0
  ) {
    let found = motions.compactMap { name, weight in Motion.named(name).map { ($0, weight) } }
    self.init(
      label, share: share, motions: found.map(\.0), weights: found.map(\.1), nearShare: near,
      backShare: back)
  }

  private static let exercises: [SyntheticMotionClass] = [
    .init(
      "jumping_jacks",
      ["jumping_jacks": 8, "step_jacks": 1.5, "seal_jacks": 1, "star_jumps": 1], share: 1.5),
    .init(
      "lunges",
      [
        "lunges": 3, "reverse_lunges": 3, "split_squats": 3, "walking_lunges": 2, "jump_lunges": 1,
      ], share: 2),
    .init("side_lunges", ["side_lunges": 2, "cossack_lunges": 1]),
    .init("squats", ["squats": 6, "sumo_squats": 1.5, "pulse_squats": 0.5], share: 2),
    .init("jump_squats", ["jump_squats": 1]),
    .init("burpees", ["burpees": 4, "step_back_burpees": 1], share: 1.5),
    .init("push_ups", ["push_ups": 4, "knee_push_ups": 1], share: 1.5),
    .init("sit_ups", ["sit_ups": 1]),
    .init(
      "crunches",
      [
        "crunches": 4, "bicycle_crunches": 1, "swinging_crunches": 1.5, "v_sits": 1,
      ]),
    .init(
      "leg_raises",
      [
        "leg_raises": 3, "single_leg_raises": 1, "flutter_kicks": 0.4, "hanging_leg_raises": 1,
      ], near: 0.02),
    .init("glute_bridges", ["bridges": 3, "single_leg_bridges": 1, "hip_thrusts": 1]),
    .init("plank", ["plank": 3, "forearm_plank": 3, "side_plank": 0.7]),
    .init("mountain_climbers", ["mountain_climbers": 2, "incline_climbers": 1]),
    .init("high_knees", ["high_knees": 2, "slow_high_knees": 1], share: 1.2),
    .init("butt_kicks", ["butt_kicks": 2, "slow_butt_kicks": 1], share: 1.2),
    .init("jump_rope", ["jump_rope": 8, "skipping_rope": 1]),
    .init(
      "bicep_curls", ["biceps_curls": 3, "seated_curls": 1.5, "cable_curls": 1.5], share: 1.5,
      near: 0.4),
    .init("shoulder_press", ["overhead_presses": 3, "one_arm_presses": 1], near: 0.4),
    .init("lateral_raises", ["lateral_raises": 1], near: 0.35),
    .init("front_raises", ["front_raises": 1], near: 0.35),
    .init("bent_over_rows", ["bent_over_rows": 3, "one_arm_rows": 2]),
    .init("deadlifts", ["deadlifts": 3, "barbell_deadlifts": 4, "good_mornings": 0.5]),
    .init("kettlebell_swings", ["kettlebell_swings": 1]),
    .init("tricep_dips", ["bench_dips": 1, "bar_dips": 0.7], near: 0.05),
    .init("pull_ups", ["pull_ups": 1], near: 0.45, back: 0.5),
    .init("russian_twists", ["russian_twists": 1, "seated_twists": 1.5]),
    .init("torso_twists", ["torso_twists": 1, "trunk_twists": 1], near: 0.25),
    .init("calf_raises", ["calf_raises": 1]),
    .init("arm_circles", ["arm_circles": 2, "one_arm_circles": 1], near: 0.3),
    .init("toe_touches", ["toe_touches": 3, "forward_folds": 1]),
    .init("sit_to_stand", ["sit_to_stand": 1]),
  ]

  private static let everyday: [SyntheticMotionClass] = [
    .init(
      "walking",
      [
        "walking": 8, "carrying": 1, "strolling": 1, "walking_backwards": 0.5, "leaving": 1,
        "swaying_walk": 4,
      ],
      share: 1.5),
    .init("running", ["running": 1, "jogging_on_the_spot": 1]),
    .init("standing", ["standing": 3, "talking": 1], share: 1.5),
    .init("sitting", ["sitting": 3, "floor_sitting": 1, "desk_work": 1], share: 1.2),
    .init("lying", ["lying": 1]),
    .init("falling", ["falling": 1], share: 0.6),
    .init(
      "dancing",
      [
        "free_dance": 4, "arm_dance": 1.5, "grapevine": 0.8, "groove": 1.5, "mambo": 1.2,
        "modern_dance": 1, "twist": 0.7,
      ], share: 1.5),
  ]

  /// What belongs to no other class; talking may be standing or sitting.
  private static let otherMotions: [Motion] = {
    let named = Set((exercises + everyday).flatMap(\.motions))
    let ambiguous = ["talking", "arm_raises", "sitting_down"].compactMap(Motion.named)
    return Motion.library.filter { !named.contains($0) && !ambiguous.contains($0) }
  }()
}
