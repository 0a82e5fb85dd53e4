package import KinemaPose
package import KinemaStreams
package import KinemaVideo

/// Finds poses in one clip after the other, one frame at a time.
package struct ClipPoseFinder: Sendable {
  /// Forgets those who are followed, before each clip.
  package var reset: @Sendable () async -> Void
  /// The poses in the next frame of a clip.
  package var poses: @Sendable (TemporalFeature<Frame>) async throws -> [Pose]
  /// The poses in a picture of its own.
  package var stillPoses: @Sendable (Frame) async throws -> [Pose]

  /// Creates a finder; where nothing is said of them, pictures are looked at as clips of one frame.
  package init(
    reset: @escaping @Sendable () async -> Void = {},
    stillPoses: (@Sendable (Frame) async throws -> [Pose])? = nil,
    poses: @escaping @Sendable (TemporalFeature<Frame>) async throws -> [Pose]
  ) {
    self.reset = reset
    self.poses = poses
    self.stillPoses =
      stillPoses ?? { frame in
        await reset()
        let id = TemporalSegmentIdentifier(source: "", range: 0..<1, timescale: 1)
        return try await poses(TemporalFeature(id: id, feature: frame))
      }
  }
}

extension ClipPoseFinder {
  /// Finds bodies; the networks are loaded when they are first needed.
  package static func bodies(
    _ configuration: HumanBodyPoseExtractor.Configuration, runtime: VisionRuntime = .located()
  ) -> ClipPoseFinder {
    var (clip, still) = (configuration, configuration)
    (clip.mode, still.mode) = (.following, .stillImages)
    let extractor = HumanBodyPoseExtractor(configuration: clip, runtime: runtime)
    let stillExtractor = HumanBodyPoseExtractor(configuration: still, runtime: runtime)
    return ClipPoseFinder(
      reset: { await extractor.reset() },
      stillPoses: { try await stillExtractor.applied(to: $0) },
      poses: { try await extractor.applied(to: $0).feature })
  }

  /// Finds hands; the networks are loaded when they are first needed.
  package static func hands(
    _ configuration: HumanHandPoseExtractor.Configuration, runtime: VisionRuntime = .located()
  ) -> ClipPoseFinder {
    var (clip, still) = (configuration, configuration)
    (clip.mode, still.mode) = (.following, .stillImages)
    let extractor = HumanHandPoseExtractor(configuration: clip, runtime: runtime)
    let stillExtractor = HumanHandPoseExtractor(configuration: still, runtime: runtime)
    return ClipPoseFinder(
      reset: { await extractor.reset() },
      stillPoses: { try await stillExtractor.applied(to: $0) },
      poses: { try await extractor.applied(to: $0).feature })
  }
}
