import Foundation
import Glibc
import KinemaVision

extension LiveService {
  /// The metrics in the text format of Prometheus.
  package var metrics: String {
    let values = context.metrics.values
    let load = context.pool.load
    var text = PrometheusText(prefix: "kinema_live_")
    text.gauge("sessions", sessionCount, "Sessions with a connection.")
    text.gauge(
      "session_places", configuration.maximumSessionCount,
      "Sessions that are served at one time at most.")
    let counters = [
      ("frames_analysed_total", values.analysedCount, "Pictures that were processed."),
      ("frames_dropped_total", values.droppedCount, "Pictures that were dropped for newer ones."),
      (
        "answers_replaced_total", values.replacedAnswerCount,
        "Messages that were dropped for newer ones as a client was slow."
      ),
      (
        "busy_refusals_total", values.refusalCount,
        "Sessions that were refused as the server was full."
      ),
      ("errors_total", values.errorCount, "Errors reported to clients."),
      ("source_reconnects_total", values.reconnectCount, "Attempts to open a source again."),
    ]
    for (name, value, help) in counters { text.counter(name, value, help) }
    text.begin("stage_seconds", .histogram, "Time of the stages of a picture.")
    for stage in StageDurations.Stage.allCases {
      guard let histogram = values.stages[stage] else { continue }
      text.add("stage_seconds", histogram, label: ("stage", stage.rawValue))
    }
    addClientLatency(to: &text)
    text.gauge("workers", load.workerCount, "Threads that find poses.")
    text.add(
      "worker_busy_seconds_total", .counter, load.busySeconds, "Their working time, all together.")
    text.add(
      "worker_utilisation", .gauge, utilisation(load.busySeconds),
      "The share of their time for which they worked since the last request.")
    text.prefix = ""
    text.gauge("process_resident_memory_bytes", HeapTrimming.residentByteCount, "Resident memory.")
    return text.text
  }

  private func addClientLatency(to text: inout PrometheusText) {
    let reports = sessions.map(\.connection).filter(\.isAttached).map(\.reportedLatency)
    let name = "capture_to_overlay_seconds"
    text.begin(
      name, .gauge,
      "From capture to overlay as clients report it: the median session's and the slowest's.")
    let halves = reports.compactMap(\.p50).sorted()
    if !halves.isEmpty {
      text.add(name, halves[halves.count / 2] / 1000, labels: [("quantile", "0.5")])
    }
    if let slowest = reports.compactMap(\.p95).max() {
      text.add(name, slowest / 1000, labels: [("quantile", "0.95")])
    }
  }
}
