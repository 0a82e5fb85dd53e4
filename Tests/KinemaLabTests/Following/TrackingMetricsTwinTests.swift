import KinemaLab
import KinemaRandom
import Testing

/// The metrics against their definitions, with every assignment tried in turn.
@Suite("Tracking metrics and their definitions")
struct TrackingMetricsTwinTests {
  /// A few objects that come and go, reported under ids that sometimes change.
  private static func sequence(_ seed: UInt64) -> [TrackedFrame] {
    var generator = SeededGenerator(seed: seed)
    return (0..<12).map { _ in
      let truths = (1...4).filter { _ in generator.chance(0.7) }.map { 10 * $0 }
      let reports = (1...4).filter { _ in generator.chance(0.7) }
      return TrackedFrame(
        truths: truths, reports: reports,
        similarity: truths.map { truth in
          reports.map { report in
            let share = Double(generator.uniform(0...1))
            return truth == 10 * report ? 0.4 + 0.6 * share : 0.7 * share
          }
        })
    }
  }

  @Test("every number is that of the definition", arguments: 0..<20 as Range<UInt64>)
  func twin(_ seed: UInt64) {
    let frames = Self.sequence(seed)
    let metrics = TrackingMetrics(frames)
    let twin = Definition(frames)
    #expect(abs(metrics.detA - twin.detA) < 1e-9)
    #expect(abs(metrics.assA - twin.assA) < 1e-9)
    #expect(abs(metrics.hota - twin.hota) < 1e-9)
    #expect(abs(metrics.mota - twin.mota) < 1e-9)
    #expect(metrics.idSwitches == twin.idSwitches)
    #expect(abs(metrics.idf1 - twin.idf1) < 1e-9)
  }

  @Test("ids are names: other ones change nothing", arguments: 0..<5 as Range<UInt64>)
  func names(_ seed: UInt64) {
    let frames = Self.sequence(seed)
    let renamed = frames.map { frame in
      TrackedFrame(
        truths: frame.truths.map { 1000 - $0 }, reports: frame.reports.map { $0 * 77 % 101 },
        similarity: frame.similarity)
    }
    let (one, other) = (TrackingMetrics(frames), TrackingMetrics(renamed))
    #expect(abs(one.hota - other.hota) < 1e-12 && abs(one.idf1 - other.idf1) < 1e-12)
    #expect(one.idSwitches == other.idSwitches && one.mota == other.mota)
  }

  @Test("truth and report exchanged have the same HOTA and IDF1", arguments: 0..<5 as Range<UInt64>)
  func symmetry(_ seed: UInt64) {
    let frames = Self.sequence(seed)
    let exchanged = frames.map { frame in
      TrackedFrame(
        truths: frame.reports, reports: frame.truths,
        similarity: frame.reports.indices.map { column in frame.similarity.map { $0[column] } })
    }
    let (one, other) = (TrackingMetrics(frames), TrackingMetrics(exchanged))
    #expect(abs(one.hota - other.hota) < 1e-9)
    #expect(abs(one.detA - other.detA) < 1e-9 && abs(one.assA - other.assA) < 1e-9)
    #expect(abs(one.idf1 - other.idf1) < 1e-9)
  }
}

/// Tracking metrics by their definitions, in the plainest way.
private struct Definition {
  private(set) var detA = 0.0
  private(set) var assA = 0.0
  private(set) var hota = 0.0
  private(set) var mota = 0.0
  private(set) var idf1 = 0.0
  private(set) var idSwitches = 0

  private struct Pair: Hashable {
    let truth, report: Int
  }

  init(_ frames: [TrackedFrame]) {
    setHOTA(frames)
    setMOTA(frames)
    setIDF1(frames)
  }

  /// The pairs of rows and columns, each at most once, of the largest sum of weights.
  private static func best(
    _ weights: [[Double]], from row: Int = 0, without used: Set<Int> = []
  ) -> (sum: Double, pairs: [(Int, Int)]) {
    guard row < weights.count else { return (0, []) }
    var best = Self.best(weights, from: row + 1, without: used)
    for column in weights[row].indices where !used.contains(column) && weights[row][column] > 0 {
      let rest = Self.best(weights, from: row + 1, without: used.union([column]))
      if rest.sum + weights[row][column] > best.sum {
        best = (rest.sum + weights[row][column], [(row, column)] + rest.pairs)
      }
    }
    return best
  }

  private static func count(_ id: Int, in ids: [[Int]]) -> Double {
    Double(ids.count { $0.contains(id) })
  }

  /// Luiten and others, *HOTA*, IJCV 2021, equations 4 to 11; the matching is that of TrackEval.
  private mutating func setHOTA(_ frames: [TrackedFrame]) {
    let (truths, reports) = (frames.map(\.truths), frames.map(\.reports))
    var together: [Pair: Double] = [:]
    for frame in frames {
      for (row, truth) in frame.truths.enumerated() {
        for (column, report) in frame.reports.enumerated() {
          let own = frame.similarity[row][column]
          let others =
            frame.similarity[row].reduce(0, +) + frame.similarity.map { $0[column] }.reduce(0, +)
          if own > 0 {
            together[Pair(truth: truth, report: report), default: 0] += own / (others - own)
          }
        }
      }
    }
    func alignment(_ truth: Int, _ report: Int) -> Double {
      let shared = together[Pair(truth: truth, report: report)] ?? 0
      return shared / (Self.count(truth, in: truths) + Self.count(report, in: reports) - shared)
    }
    for threshold in 1...19 {
      let alpha = 0.05 * Double(threshold)
      var matches: [Pair: Double] = [:]
      for frame in frames {
        let weights = frame.truths.enumerated().map { row, truth in
          frame.reports.enumerated().map { column, report in
            alignment(truth, report) * frame.similarity[row][column]
          }
        }
        for (row, column) in Self.best(weights).pairs
        where frame.similarity[row][column] >= alpha - 1e-12 {
          matches[Pair(truth: frame.truths[row], report: frame.reports[column]), default: 0] += 1
        }
      }
      let hits = matches.values.reduce(0, +)
      let all = Double(truths.joined().count + reports.joined().count)
      let detection = hits / (all - hits)
      let association = matches.reduce(0) { sum, match in
        let either =
          Self.count(match.key.truth, in: truths) + Self.count(match.key.report, in: reports)
        return sum + match.value * match.value / (either - match.value)
      }
      let accuracy = hits == 0 ? 0 : association / hits
      detA += detection / 19
      assA += accuracy / 19
      hota += (detection * accuracy).squareRoot() / 19
    }
  }

  /// Bernardin and Stiefelhagen, 2008: pairs of the frame before go on where they can.
  private mutating func setMOTA(_ frames: [TrackedFrame]) {
    var (before, last): ([Int: Int], [Int: Int]) = ([:], [:])
    var (misses, falsePositives, total) = (0, 0, 0)
    for frame in frames {
      total += frame.truths.count
      guard !frame.truths.isEmpty, !frame.reports.isEmpty else {
        misses += frame.truths.count
        falsePositives += frame.reports.count
        continue
      }
      let weights = frame.truths.enumerated().map { row, truth in
        frame.reports.enumerated().map { column, report -> Double in
          let similarity = frame.similarity[row][column]
          guard similarity >= 0.5 else { return 0 }
          return similarity + (before[truth] == report ? 100 : 0)
        }
      }
      let pairs = Self.best(weights).pairs.map { (frame.truths[$0.0], frame.reports[$0.1]) }
      before = Dictionary(uniqueKeysWithValues: pairs)
      for (truth, report) in pairs {
        if let old = last[truth], old != report { idSwitches += 1 }
        last[truth] = report
      }
      misses += frame.truths.count - pairs.count
      falsePositives += frame.reports.count - pairs.count
    }
    mota = 1 - Double(misses + falsePositives + idSwitches) / Double(max(total, 1))
  }

  /// Ristani et al., 2016: identities are paired one to one over the whole sequence.
  private mutating func setIDF1(_ frames: [TrackedFrame]) {
    let truths = Set(frames.flatMap(\.truths)).sorted()
    let reports = Set(frames.flatMap(\.reports)).sorted()
    let shared = truths.map { truth in
      reports.map { report in
        Double(
          frames.count { frame in
            guard let row = frame.truths.firstIndex(of: truth),
              let column = frame.reports.firstIndex(of: report)
            else { return false }
            return frame.similarity[row][column] >= 0.5
          })
      }
    }
    let all = frames.reduce(0) { $0 + $1.truths.count + $1.reports.count }
    idf1 = 2 * Self.best(shared).sum / Double(max(all, 1))
  }
}
