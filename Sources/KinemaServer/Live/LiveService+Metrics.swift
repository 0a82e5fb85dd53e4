import Foundation
import Glibc
import KinemaVision
import Synchronization

extension LiveService {
  /// The metrics in the text format of Prometheus.
  package var metrics: String {
    let values = context.metrics.values
    let load = context.pool.load
    var text = PrometheusText()
    text.add(
      "kinema_live_sessions", .gauge, Double(sessionCount), help: "Sessions with a connection.")
    text.add(
      "kinema_live_session_places", .gauge, Double(configuration.maximumSessionCount),
      help: "Sessions that are served at one time at most.")
    text.add(
      "kinema_live_frames_analysed_total", .counter, Double(values.analysedCount),
      help: "Pictures that were processed.")
    text.add(
      "kinema_live_frames_dropped_total", .counter, Double(values.droppedCount),
      help: "Pictures that were dropped for newer ones.")
    text.add(
      "kinema_live_answers_replaced_total", .counter, Double(values.replacedAnswerCount),
      help: "Messages that were dropped for newer ones as a client was slow.")
    text.add(
      "kinema_live_busy_refusals_total", .counter, Double(values.refusalCount),
      help: "Sessions that were refused as the server was full.")
    text.add(
      "kinema_live_errors_total", .counter, Double(values.errorCount),
      help: "Errors reported to clients.")
    text.add(
      "kinema_live_source_reconnects_total", .counter, Double(values.reconnectCount),
      help: "Attempts to open a source again.")
    let stages = "kinema_live_stage_seconds"
    text.begin(stages, .histogram, "Time of the stages of a picture.")
    for stage in StageDurations.Stage.allCases {
      guard let histogram = values.stages[stage] else { continue }
      text.add(stages, histogram, label: ("stage", stage.rawValue))
    }
    addClientLatency(to: &text)
    text.add(
      "kinema_live_workers", .gauge, Double(load.workerCount), help: "Threads that find poses.")
    text.add(
      "kinema_live_worker_busy_seconds_total", .counter, load.busySeconds,
      help: "Their working time, all together.")
    text.add(
      "kinema_live_worker_utilisation", .gauge, utilisation(load.busySeconds),
      help: "The share of their time for which they worked since the last request.")
    text.add(
      "process_resident_memory_bytes", .gauge, Double(Self.residentByteCount),
      help: "Resident memory.")
    return text.text
  }

  private func addClientLatency(to text: inout PrometheusText) {
    let reports = sessions.map(\.connection).filter(\.isAttached).map(\.reportedLatency)
    let name = "kinema_live_capture_to_overlay_seconds"
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

  private static var residentByteCount: Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ")
    return (fields?.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
