package import KinemaHTTP
package import KinemaStudio

/// Everything under `/api/v1/studio/`: see `docs/studio-api.md`.
package enum StudioRoutes {
  static let project = "/api/v1/studio/projects/{project}"

  /// The rows of the table of addresses.
  package static func routes(_ studio: Studio, models: ModelLibrary) -> [Route] {
    ProjectRoutes(studio).routes + ItemRoutes(studio).routes + MediaRoutes(studio).routes
      + UploadRoutes(studio).routes + TakeRoutes(studio).routes
      + RunRoutes(studio, models: models).routes
  }
}
