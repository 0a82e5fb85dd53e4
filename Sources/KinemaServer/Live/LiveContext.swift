import KinemaVision

struct LiveContext: Sendable {
  let configuration: LiveConfiguration
  let models: any LiveModels
  let history: any LiveHistory
  let pool: PosePool
  let metrics: LiveMetrics
  let sources: [String: SharedSource]

  func subject(maximumPersonCount: Int, isOfHands: Bool = false) -> PoseSubject {
    let settings = configuration.settings
    return isOfHands
      ? .hands(
        .init(
          maximumHandCount: maximumPersonCount, precision: settings.precision,
          device: settings.device))
      : .bodies(
        .init(
          maximumPersonCount: maximumPersonCount, precision: settings.precision,
          device: settings.device, isSmoothed: configuration.isSmoothed))
  }
}
