extension Motion {
  /// All motions, the exercises of the classes first; each family declares its own list.
  package static let library =
    jackVariants + lungeVariants + burpeeVariants + squatVariants + pushUpVariants + gym + floor
    + walkingVariants + dance + everyday + stretching + strength + variants

  /// The motion of a name, such as `reverse_lunges`.
  package static func named(_ name: String) -> Motion? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: library.map { ($0.name, $0) })

  /// The motions in which counting is trained and measured; those of ``strength`` and ``variants`` came
  /// after the model `Repetitions` and its figures.
  package static let counted = library.filter {
    $0.isCounted && $0.showsPerson && !(strength + variants).contains($0)
  }

  package static let idle = [
    "standing", "sitting", "talking", "near_talking", "plank", "forearm_plank",
  ].compactMap(named)
}
