package import KinemaOverlay

/// What the server reports about itself: the answer of `/api/v1/info`.
package struct ServerInformation: Codable, Hashable, Sendable {
  package struct Source: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Sendable {
      case camera, stream, file, synthetic
    }

    /// The name by which sessions choose it.
    package var id: String
    package var kind: Kind
    package var name: String

    package init(id: String, kind: Kind, name: String) {
      self.id = id
      self.kind = kind
      self.name = name
    }
  }

  /// The most that the server accepts.
  package struct Limits: Codable, Hashable, Sendable {
    package var sessions: Int
    package var modelBytes: Int
    package var frameBytes: Int

    package init(
      sessions: Int, modelBytes: Int = ModelLibrary.maximumByteCount, frameBytes: Int = 4 << 20
    ) {
      self.sessions = sessions
      self.modelBytes = modelBytes
      self.frameBytes = frameBytes
    }
  }

  /// The version of this interface: 1.
  package var schema: Int
  package var version: String
  package var sources: [Source]
  /// The models; sessions use the first, where their client names none.
  package var models: [ModelDescription]
  package var limits: Limits
  package var isRecordingAllowed: Bool
  /// How a body and a hand are drawn, by those names.
  package var wireframes = WireframeTable.all

  package init(
    schema: Int = 1, version: String, sources: [Source], models: [ModelDescription],
    limits: Limits, isRecordingAllowed: Bool
  ) {
    self.schema = schema
    self.version = version
    self.sources = sources
    self.models = models
    self.limits = limits
    self.isRecordingAllowed = isRecordingAllowed
  }
}
