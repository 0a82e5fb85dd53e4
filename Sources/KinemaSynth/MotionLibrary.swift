extension Motion {
  /// All motions, the exercises of the classes first.
  public static let library: [Motion] = exercises + gym + floor + upAndAbout + everyday

  /// The motion of a name, such as `reverse_lunges`.
  public static func named(_ name: String) -> Motion? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: library.map { ($0.name, $0) })

  /// What people do who repeat nothing, and keep in one place.
  public static let idle: [Motion] = [
    .standing, .sitting, .talking, .nearTalking, .plank, .forearmPlank,
  ]

  /// The five exercises that the classes are named after, in their variants.
  private static let exercises: [Motion] = [
    .jumpingJacks, .sealJacks, .starJumps, .stepJacks, .jumpLunges, .lunges, .reverseLunges,
    .sideLunges, .splitSquats, .walkingLunges, .burpees, .stepBackBurpees, .jumpSquats,
    .pulseSquats, .squats, .sumoSquats, .kneePushUps, .pushUps,
  ]

  /// Exercises on the feet.
  private static let gym: [Motion] = [
    .armCircles, .armRaises, .armSwings, .bentOverRows, .bicepsCurls, .buttKicks, .calfRaises,
    .deadlifts, .goodMornings, .highKnees, .hops, .joggingOnTheSpot, .jumpRope, .kettlebellSwings,
    .kicks, .kneesToElbows, .marching, .overheadPresses, .punches, .sideLegRaises, .skaters,
    .toeTouches, .torsoTwists, .windmills,
  ]

  /// Exercises and rest on the floor.
  private static let floor: [Motion] = [
    .bearCrawl, .bicycleCrunches, .birdDogs, .bridges, .catCow, .childsPose, .cobra, .crunches,
    .donkeyKicks, .downwardDog, .floorSitting, .flutterKicks, .forearmPlank, .gettingDown,
    .kneeling, .legRaises, .lying, .mountainClimbers, .plank, .plankJacks, .plankUpDowns,
    .russianTwists, .shoulderTaps, .sideLyingLegRaises, .sidePlank, .sitUps, .supermans,
  ]

  /// Walking and dancing.
  private static let upAndAbout: [Motion] = [
    .carrying, .leaving, .running, .sideStepping, .stepUps, .strolling, .turning, .walking,
    .walkingBackwards, .armDance, .freeDance, .grapevine, .groove, .mambo, .modernDance, .twist,
  ]

  /// What else people do before a camera.
  private static let everyday: [Motion] = [
    .ballKicking, .ballThrowing, .clapping, .crouching, .deskWork, .dressing, .dribbling, .drinking,
    .emptyRoom, .falling, .gaming, .guitarPlaying, .juggling, .nearTalking, .phoning, .pickingUp,
    .racketStrokes, .reaching, .sitting, .sittingDown, .standing, .sweeping, .talking, .waving,
    .forwardFolds, .hamstringStretch, .hipCircles, .neckRolls, .overheadStretches, .quadStretch,
    .shoulderStretch, .sideBends, .treePose, .trianglePose, .warriorPose,
  ]
}
