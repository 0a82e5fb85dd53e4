import KinemaVision

struct LiveContext: Sendable {
  let configuration: LiveConfiguration
  let models: any LiveModels
  let history: any LiveHistory
  let pool: PosePool
  let metrics: LiveMetrics
  let sources: [String: SharedSource]

  func subject(maximumPersonCount: Int, isOfHands: Bool = false) -> PoseSubject {
    isOfHands
      ? .hands(.init(maximumHandCount: maximumPersonCount, precision: configuration.precision))
      : .bodies(
        .init(
          maximumPersonCount: maximumPersonCount, precision: configuration.precision,
          isSmoothed: configuration.isSmoothed))
  }
}
