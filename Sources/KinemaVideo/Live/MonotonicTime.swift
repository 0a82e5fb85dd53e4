import CFFmpeg

/// A clock that always rises, whatever happens to the time of day.
enum MonotonicTime {
  /// Seconds from some moment in the past.
  static var seconds: Double { Double(av_gettime_relative()) / 1_000_000 }
}
