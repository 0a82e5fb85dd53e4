import KinemaVision
package import KinemaWatch

/// What each named source does and costs, in the text format of Prometheus.
package enum WatchMetrics {
  package static func text(of watcher: Watcher) -> String {
    let sources = watcher.sources
    var text = PrometheusText(prefix: "kinema_source_")
    text.begin("state", .gauge, "1 for what a source does, or why it is not processed.")
    for source in sources {
      for state in WatchedSource.Activity.allCases {
        text.add(
          "state", source.activity == state ? 1 : 0,
          labels: [("source", source.name), ("state", state.rawValue)])
      }
    }
    text.begin("frames_per_second", .gauge, "Frames processed a second in the last ten seconds.")
    for source in sources {
      text.add(
        "frames_per_second", source.rate ?? 0, labels: [("source", source.name)])
    }
    text.begin("frames_total", .counter, "Frames that were processed.")
    for source in sources {
      text.add(
        "frames_total", Double(source.ladder?.processedCount ?? 0),
        labels: [("source", source.name)])
    }
    text.begin(
      "processor_seconds_total", .counter, "Processor time for reading and decoding, and for poses."
    )
    for source in sources {
      for (stage, seconds) in [
        ("reading", source.ladder?.readingSeconds), ("poses", source.ladder?.poseSeconds),
      ] {
        text.add(
          "processor_seconds_total", seconds ?? 0,
          labels: [("source", source.name), ("stage", stage)])
      }
    }
    return text.text
  }
}
