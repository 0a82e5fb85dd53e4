import KinemaReport

/// `kinema bench hard-poses`: evaluates poses of synthetic people who are small, seen from the
/// side or from behind, on the floor or half outside the frame.
package enum HardPosesBench {
  package struct Report: BenchReport {
    /// One kind of scene: errors are shares of the trunk, the others shares of frames.
    struct Row: Encodable {
      let size: String
      let share: Float
      let view: HardView
      let found, strangers: Double
      let medianError, meanError: Float
      let exchanged: Double
      let sequences: Int
      /// The first frame with the person, for each sequence with one.
      let firstFrames: [Int]
    }

    var schema = 1
    var rows: [Row] = []

    package var table: String {
      var table = TextTable([
        ("size", .left), ("height", .right), ("person", .left), ("found", .right),
        ("strangers", .right), ("median error", .right), ("mean", .right),
        ("exchanged", .right), ("sequences", .right), ("first frames", .left),
      ])
      for row in rows {
        table.add([
          row.size, Double(row.share).percent, row.view.rawValue,
          row.found.percent, row.strangers.percent,
          Double(row.medianError).percent, Double(row.meanError).percent, row.exchanged.percent,
          "\(row.firstFrames.count)/\(row.sequences)",
          row.firstFrames.map(String.init).joined(separator: " "),
        ])
      }
      return table.text
    }
  }

  private static let sizes = [(640, 480), (1280, 720)]
  private static let shares: [Float] = [0.15, 0.2, 0.25, 0.3, 0.6]

  /// Searches for people in sequences of two seconds.
  package static func run(
    sequenceCount: Int, seed first: UInt64 = 1,
    progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) async throws -> Report {
    var report = Report()
    let count = sizes.count * shares.count * HardView.allCases.count
    for (width, height) in sizes {
      for share in shares {
        for view in HardView.allCases {
          var figures = HardPoseFigures()
          for index in 0..<UInt64(sequenceCount) {
            let stage = HardStage(
              view, share: share, width: width, height: height, seed: first &+ index)
            figures.add(try await stage.figures(frameCount: 60))
          }
          report.rows.append(
            Report.Row(
              size: "\(width)x\(height)", share: share, view: view, found: figures.found,
              strangers: figures.strangers, medianError: figures.medianError,
              meanError: figures.meanError, exchanged: figures.exchanged,
              sequences: figures.sequenceCount, firstFrames: figures.firstFrames.sorted()))
          progress(report.rows.count, count)
        }
      }
    }
    return report
  }
}
