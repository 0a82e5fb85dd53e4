package import KinemaAction
import KinemaCounting
import KinemaVideo

/// What can never happen in a configuration.
extension WatchConfiguration {
  /// The places on a side of a zone's box at which it is compared with masks.
  private static let sampleCount = 24

  /// The sources of a rule.
  package func sources(of rule: WatchRule) -> [Source] { sources.filter { rule.covers($0.name) } }

  /// Whether a source's people are classified: where it has a model of its own, or a rule is about actions.
  package func namesActions(of source: Source) -> Bool {
    source.model != nil || rules.contains { $0.needsActions && $0.covers(source.name) }
  }

  // MARK: - Places

  /// Throws where a rule names a zone or a line that none of its sources has, or where nothing can happen.
  func checkPlaces() throws(WatchError) {
    for rule in rules {
      let areas = sources(of: rule).map { self.areas[$0.name] ?? SourceAreas() }
      func fail(_ sentence: String) throws(WatchError) {
        throw WatchError(.malformed, "\(rule.place): \(sentence)")
      }
      let zones = areas.flatMap(\.zones)
      for name in [rule.zone, rule.outside].compactMap(\.self)
      where !zones.contains(where: { $0.name == name }) {
        try fail(
          "there is no zone “\(name)” in \(subject(of: rule)); \(Self.existing(zones.map(\.name)))."
        )
      }
      let lines = areas.flatMap(\.lines).map(\.name)
      if rule.kind == .crossesLine, !(rule.line.map(lines.contains) ?? !lines.isEmpty) {
        let name = rule.line.map { "line “\($0)”" } ?? "line"
        try fail("there is no \(name) in \(subject(of: rule)); \(Self.existing(lines)).")
      }
      if let zone = rule.zone, zone == rule.outside {
        try fail("nobody is in and outside of “\(zone)” at once.")
      }
      try checkBeds(of: rule, zones)
      if let zone = rule.zone, areas.allSatisfy({ Self.isMasked(zone, in: $0) }) {
        try fail("the zone “\(zone)” is masked, so that nothing is seen in it.")
      }
    }
  }

  /// Throws where two sources, or two zones of one, would share what a broker knows them by.
  func checkTopics(_ name: String) throws(WatchError) {
    guard broker != nil else { return }
    let zones = sources.map { ("zones of “\($0.name)”", areas[$0.name]?.zones.map(\.name) ?? []) }
    for (kind, names) in [("sources", sources.map(\.name))] + zones {
      var known: [String: String] = [:]
      for text in names {
        guard let other = known.updateValue(text, forKey: WatchTopics.word(of: text)) else {
          continue
        }
        throw WatchError(
          .malformed,
          "\(name): to a broker the \(kind) “\(other)” and “\(text)” are one, since only a-z and 0-9 "
            + "distinguish them; rename one.")
      }
    }
  }

  private func checkBeds(
    of rule: WatchRule, _ zones: [SourceAreas.Zone]
  ) throws(WatchError) {
    let beds = Set(zones.filter(\.isBed).map(\.name))
    if rule.posture == .sleeping,
      !(rule.zone.map(beds.contains) ?? !beds.isEmpty)
    {
      throw WatchError(
        .malformed,
        "\(rule.place): a person sleeps who lies in a bed; give a zone \"bed\": true.")
    }
    let isOfLying = rule.kind == .lying || rule.posture == .lying
    if isOfLying, let zone = rule.zone, zones.filter({ $0.name == zone }).allSatisfy(\.isBed) {
      throw WatchError(
        .malformed,
        "\(rule.place): who lies in the bed “\(zone)” sleeps; write {\"posture\": \"sleeping\"}.")
    }
  }

  private func subject(of rule: WatchRule) -> String {
    rule.source.map { "the source “\($0)”" } ?? "any source"
  }

  private static func existing(_ names: [String]) -> String {
    names.isEmpty ? "there are none" : "there are \(CheckedObject.list(names))"
  }

  /// Whether a source has a zone that lies under its masks, or lacks it.
  private static func isMasked(_ name: String, in areas: SourceAreas) -> Bool {
    guard let zone = areas.zones.first(where: { $0.name == name }) else { return true }
    let places = (0..<sampleCount * sampleCount).map { index in
      SIMD2(
        (Float(index % sampleCount) + 0.5) / Float(sampleCount),
        (Float(index / sampleCount) + 0.5) / Float(sampleCount))
    }
    let corners = zone.polygon.points
    let middle = corners.reduce(SIMD2(), +) / Float(corners.count)
    let inside = (places + [middle]).filter(zone.polygon.contains)
    return !inside.isEmpty
      && inside.allSatisfy { place in areas.masks.contains { $0.contains(place) } }
  }

  // MARK: - Models

  /// Throws ``WatchError`` where the classifier of a source cannot be read, or no source of a rule knows its
  /// action.
  ///
  /// - Parameter classifier: Reads the classifier of a model's name or file.
  package func checkModels(
    _ classifier: (_ model: String?) throws -> ActionClassifier
  ) throws(WatchError) {
    var classifiers: [String?: ActionClassifier] = [:]
    for source in sources where namesActions(of: source) && classifiers[source.model] == nil {
      do {
        classifiers[source.model] = try classifier(source.model)
      } catch {
        throw WatchError(
          .malformed, "The model of the source “\(source.name)” cannot be used: \(error)")
      }
    }
    for rule in rules where rule.needsActions {
      guard let action = rule.action else { continue }
      let models = Set(sources(of: rule).map(\.model)).compactMap { classifiers[$0] }
      try check(rule, action, models)
    }
  }

  private func check(
    _ rule: WatchRule, _ action: String, _ models: [ActionClassifier]
  ) throws(WatchError) {
    let known = models.filter {
      $0.labels.contains(action) && !$0.labelKinds.isEverythingElse(action)
    }
    guard !known.isEmpty else {
      let labels = Set(
        models.flatMap { model in
          model.labels.filter { !model.labelKinds.isEverythingElse($0) }
        })
      let isPosture = WatchPosture(rawValue: action) != nil
      throw WatchError(
        .malformed,
        "\(rule.place): the model recognises no “\(action)”, only "
          + "\(CheckedObject.list(labels.sorted()))"
          + (isPosture ? "; for a posture write {\"posture\": \"\(action)\"}." : "."))
    }
    if rule.kind == .countReached, known.allSatisfy({ $0.labelKinds[action] != .counted }) {
      throw WatchError(
        .malformed,
        "\(rule.place): “\(action)” is held, and not counted; write {\"action\": \"\(action)\", "
          + "\"for\": 30}.")
    }
  }
}
