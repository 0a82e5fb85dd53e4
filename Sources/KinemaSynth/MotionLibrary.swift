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

  /// Movements that no layers to start from have learnt, so that they can show how well few takes
  /// teach: every third of those that are counted and belong to no exercise with a class.
  package static let heldOut: [Motion] = library.filter {
    $0.action == .other && $0.isCounted && $0.weight > 0 && $0.showsPerson
  }
  .enumerated().filter { $0.offset % 3 == 2 }.map(\.element)

  package static let idle = [
    "standing", "sitting", "talking", "near_talking", "plank", "forearm_plank",
  ].compactMap(named)
}
