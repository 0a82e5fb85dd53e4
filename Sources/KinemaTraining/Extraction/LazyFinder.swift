import Synchronization

/// A finder of poses that is made when it is first needed.
final class LazyFinder: Sendable {
  private let make: @Sendable () -> FeatureExtractor.PoseFinder
  private let made = Mutex<FeatureExtractor.PoseFinder?>(nil)

  init(make: @escaping @Sendable () -> FeatureExtractor.PoseFinder) {
    self.make = make
  }

  var finder: FeatureExtractor.PoseFinder {
    made.withLock { made in
      let finder = made ?? make()
      made = finder
      return finder
    }
  }
}
