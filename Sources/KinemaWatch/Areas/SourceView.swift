import KinemaVideo
import KinemaVision
import Synchronization

/// What is seen of a source, and by which rules.
struct SourceView: Hashable, Sendable {
  /// The rules of this source.
  let rules: [WatchRule]
  let gate: SceneGate

  /// A frame with the people whom the gate lets through.
  ///
  /// - Parameter paintsMasks: Whether its picture is not masked yet.
  func gated(_ frame: PosedFrame, paintsMasks: Bool) -> PosedFrame {
    var frame = frame
    frame.poses = gate.visible(frame.poses)
    if paintsMasks { frame.picture = frame.picture?.masked(by: gate.areas.masks) }
    return frame
  }
}

extension WatchConfiguration {
  /// What a source is opened for; with another one it is opened again.
  struct Needs: Hashable {
    let pictures: Bool
    let actions: Bool
  }

  func needs(of source: Source) -> Needs {
    Needs(
      pictures: rules.contains { $0.needsPictures(of: source.name) },
      actions: namesActions(of: source))
  }
}

extension Watcher {
  func view(of source: String) -> SourceView {
    let configuration = state.withLock { $0.configuration }
    return SourceView(
      rules: configuration.rules.filter { $0.covers(source) },
      gate: SceneGate(areas: configuration.areas[source] ?? SourceAreas()))
  }

  /// Whether the people of a source are classified: walkers are no lunges where nobody asks for exercises.
  func namesActions(of source: WatchConfiguration.Source) -> Bool {
    setup.namesActions || state.withLock { $0.configuration.namesActions(of: source) }
  }
}
