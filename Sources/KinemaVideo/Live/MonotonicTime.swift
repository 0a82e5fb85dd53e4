import CFFmpeg

enum MonotonicTime {
  /// Seconds since an arbitrary moment.
  static var seconds: Double { Double(av_gettime_relative()) / 1_000_000 }
}
