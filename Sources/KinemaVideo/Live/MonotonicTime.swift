import CFFmpeg
import Glibc

enum MonotonicTime {
  /// Seconds since an arbitrary moment.
  static var seconds: Double { Double(av_gettime_relative()) / 1_000_000 }
}

package enum ThreadTime {
  /// The processor time of this thread, in seconds.
  package static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
