import Foundation

/// What a benchmark measured: a table for people, encoded for machines.
package protocol BenchReport: Encodable {
  var table: String { get }
}

/// The processor time of all threads of the process so far, in seconds.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
