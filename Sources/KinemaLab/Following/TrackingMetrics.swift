import KinemaTracking

/// True and reported tracks in a frame, with the similarity of each pair.
package struct TrackedFrame: Hashable, Codable, Sendable {
  /// The ids of the true objects, each once.
  package var truths: [Int]
  /// The ids of the reported objects, each once.
  package var reports: [Int]
  /// For each true object the similarity to each reported one, from 0 to 1.
  package var similarity: [[Double]]

  /// Creates a frame.
  package init(truths: [Int], reports: [Int], similarity: [[Double]]) {
    (self.truths, self.reports, self.similarity) = (truths, reports, similarity)
  }
}

/// HOTA, CLEAR MOT and identity metrics, by the definitions of TrackEval; they add up over sequences.
///
/// - HOTA, DetA, AssA: Luiten et al., *HOTA: A Higher Order Metric for Evaluating Multi-Object
///   Tracking*, IJCV 2021.
/// - MOTA and ID switches: Bernardin and Stiefelhagen, *Evaluating Multiple Object Tracking
///   Performance*, 2008.
/// - IDF1: Ristani et al., *Performance Measures and a Data Set for Multi-Target, Multi-Camera
///   Tracking*, 2016.
package struct TrackingMetrics: Hashable, Sendable {
  /// The similarities from which on a pair matches, in HOTA: 0.05, 0.1 … 0.95.
  static let thresholds = (1...19).map { Double($0) * 0.05 }
  /// The similarity from which on a pair matches, in CLEAR MOT and identity metrics.
  static let threshold = 0.5

  /// Matches, misses and false positives.
  struct Counts: Hashable, Sendable {
    var matches = 0
    var misses = 0
    var falsePositives = 0

    static func += (one: inout Counts, other: Counts) {
      one.matches += other.matches
      one.misses += other.misses
      one.falsePositives += other.falsePositives
    }
  }

  /// Of each of the ``thresholds``.
  private var detections = [Counts](repeating: Counts(), count: thresholds.count)
  /// Of each of the ``thresholds``: the association scores, added up over matches.
  private var associations = [Double](repeating: 0, count: thresholds.count)
  private var clear = Counts()
  private var identity = Counts()
  /// How often a true object is matched to another id than at its last match.
  package private(set) var idSwitches = 0

  /// Metrics of nothing.
  package init() {}

  /// The metrics of a sequence.
  package init(_ frames: [TrackedFrame]) {
    let tracks = Tracks(frames)
    addHOTA(tracks)
    addCLEAR(tracks)
    addIdentity(tracks)
  }

  /// The geometric mean of detection and association accuracy, averaged over thresholds.
  package var hota: Double {
    mean { (detectionAccuracy($0) * associationAccuracy($0)).squareRoot() }
  }
  /// Detection accuracy, averaged over thresholds.
  package var detA: Double { mean(detectionAccuracy) }
  /// Association accuracy, averaged over thresholds.
  package var assA: Double { mean(associationAccuracy) }
  /// 1 less misses, false positives and ID switches, as a share of true objects.
  package var mota: Double {
    Double(clear.matches - clear.falsePositives - idSwitches)
      / Double(max(1, clear.matches + clear.misses))
  }
  /// The F1 score of identities that are assigned one to one over the whole sequence.
  package var idf1: Double {
    Double(identity.matches)
      / max(1, Double(2 * identity.matches + identity.misses + identity.falsePositives) / 2)
  }

  package static func += (one: inout TrackingMetrics, other: TrackingMetrics) {
    for index in thresholds.indices {
      one.detections[index] += other.detections[index]
      one.associations[index] += other.associations[index]
    }
    one.clear += other.clear
    one.identity += other.identity
    one.idSwitches += other.idSwitches
  }

  private func mean(_ value: (Int) -> Double) -> Double {
    Self.thresholds.indices.reduce(0) { $0 + value($1) } / Double(Self.thresholds.count)
  }

  private func detectionAccuracy(_ index: Int) -> Double {
    let counts = detections[index]
    return Double(counts.matches)
      / Double(max(1, counts.matches + counts.misses + counts.falsePositives))
  }

  private func associationAccuracy(_ index: Int) -> Double {
    associations[index] / Double(max(1, detections[index].matches))
  }

  // MARK: - One sequence

  /// A sequence whose ids are numbered from 0.
  private struct Tracks {
    /// Rounding must not unmatch what is just similar enough.
    static let tolerance = 0x1p-52
    var frames: [TrackedFrame]
    /// In how many frames each true object and each reported one is.
    var truthCounts, reportCounts: [Int]

    init(_ frames: [TrackedFrame]) {
      func numbered(_ ids: [[Int]]) -> (numbers: [[Int]], counts: [Int]) {
        var (numbers, counts): ([Int: Int], [Int]) = ([:], [])
        let all = ids.map { frame in
          frame.map { id in
            let number = numbers[id] ?? counts.count
            if number == counts.count { counts.append(0) }
            numbers[id] = number
            counts[number] += 1
            return number
          }
        }
        return (all, counts)
      }
      let truths = numbered(frames.map(\.truths))
      let reports = numbered(frames.map(\.reports))
      self.frames = frames.indices.map {
        TrackedFrame(
          truths: truths.numbers[$0], reports: reports.numbers[$0],
          similarity: frames[$0].similarity)
      }
      (truthCounts, reportCounts) = (truths.counts, reports.counts)
    }

    /// A number for each pair of a true object and a reported one.
    func pairs() -> [[Double]] {
      truthCounts.map { _ in Array(repeating: 0, count: reportCounts.count) }
    }

    /// In how many frames either of a pair is, of which they share some.
    func union(_ truth: Int, _ report: Int, shared: Double) -> Double {
      Double(truthCounts[truth] + reportCounts[report]) - shared
    }
  }

  private mutating func addHOTA(_ tracks: Tracks) {
    // How well two tracks go together over the whole sequence decides the matches of each frame.
    var alignment = tracks.pairs()
    for frame in tracks.frames {
      let rows = frame.similarity.map { $0.reduce(0, +) }
      for (column, report) in frame.reports.enumerated() {
        let total = frame.similarity.reduce(0) { $0 + $1[column] }
        for (row, truth) in frame.truths.enumerated() {
          let similarity = frame.similarity[row][column]
          let union = rows[row] + total - similarity
          if union > Tracks.tolerance { alignment[truth][report] += similarity / union }
        }
      }
    }
    for truth in alignment.indices {
      for report in alignment[truth].indices {
        alignment[truth][report] /= tracks.union(
          truth, report, shared: alignment[truth][report])
      }
    }
    var shared = Self.thresholds.map { _ in tracks.pairs() }
    for frame in tracks.frames {
      let weights = frame.truths.enumerated().map { row, truth in
        frame.reports.enumerated().map { column, report in
          alignment[truth][report] * frame.similarity[row][column]
        }
      }
      let columns = Assignment.largest(weights)
      for (index, threshold) in Self.thresholds.enumerated() {
        var matches = 0
        for (row, column) in columns.enumerated() {
          guard let column, frame.similarity[row][column] >= threshold - Tracks.tolerance
          else { continue }
          matches += 1
          shared[index][frame.truths[row]][frame.reports[column]] += 1
        }
        detections[index] += Counts(
          matches: matches, misses: frame.truths.count - matches,
          falsePositives: frame.reports.count - matches)
      }
    }
    for index in shared.indices {
      for (truth, counts) in shared[index].enumerated() {
        for (report, count) in counts.enumerated() {
          associations[index] += count * count / tracks.union(truth, report, shared: count)
        }
      }
    }
  }

  private mutating func addCLEAR(_ tracks: Tracks) {
    /// What being matched as in the frame before weighs against similarity.
    let continuity = 1000.0
    var (last, previous): ([Int: Int], [Int: Int]) = ([:], [:])
    for frame in tracks.frames {
      guard !frame.truths.isEmpty, !frame.reports.isEmpty else {
        clear.misses += frame.truths.count
        clear.falsePositives += frame.reports.count
        continue
      }
      let weights = frame.truths.enumerated().map { row, truth in
        frame.reports.enumerated().map { column, report in
          let similarity = frame.similarity[row][column]
          guard similarity >= Self.threshold - Tracks.tolerance else { return 0.0 }
          return similarity + (previous[truth] == report ? continuity : 0)
        }
      }
      previous = [:]
      for (row, column) in Assignment.largest(weights).enumerated() {
        guard let column, weights[row][column] > 0 else { continue }
        let (truth, report) = (frame.truths[row], frame.reports[column])
        if let old = last[truth], old != report { idSwitches += 1 }
        (last[truth], previous[truth]) = (report, report)
      }
      clear += Counts(
        matches: previous.count, misses: frame.truths.count - previous.count,
        falsePositives: frame.reports.count - previous.count)
    }
  }

  private mutating func addIdentity(_ tracks: Tracks) {
    var matches = tracks.pairs()
    for frame in tracks.frames {
      for (row, truth) in frame.truths.enumerated() {
        for (column, report) in frame.reports.enumerated()
        where frame.similarity[row][column] >= Self.threshold {
          matches[truth][report] += 1
        }
      }
    }
    // The assignment with the fewest misses and false positives has the most matches.
    let assigned = Assignment.largest(matches).enumerated().reduce(0.0) { sum, pair in
      sum + (pair.element.map { matches[pair.offset][$0] } ?? 0)
    }
    identity += Counts(
      matches: Int(assigned), misses: tracks.truthCounts.reduce(0, +) - Int(assigned),
      falsePositives: tracks.reportCounts.reduce(0, +) - Int(assigned))
  }
}

extension TrackingMetrics: Encodable {
  private enum CodingKeys: CodingKey { case hota, detA, assA, mota, idf1, idSwitches }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(hota, forKey: .hota)
    try values.encode(detA, forKey: .detA)
    try values.encode(assA, forKey: .assA)
    try values.encode(mota, forKey: .mota)
    try values.encode(idf1, forKey: .idf1)
    try values.encode(idSwitches, forKey: .idSwitches)
  }
}
