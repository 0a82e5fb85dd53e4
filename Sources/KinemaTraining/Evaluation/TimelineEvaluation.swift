package import Foundation
package import KinemaAction

/// How the names that people see over a video compare with its labelled segments.
///
/// Segments of a class for “none of the actions” are background: they are compared by frame, and an
/// action that is named there is wrong, but they are no segments of their own. What is done in time
/// without a segment is not known: stretches are cut to the labelled time, and what is named outside
/// of it is listed by itself (``unlabelled``). Edit score and F1@k are those of Lea et al., “Temporal
/// convolutional networks for action segmentation and detection” (CVPR 2017).
package struct TimelineEvaluation: Hashable, Sendable {
  /// An action over a range of time, in seconds.
  package struct Stretch: Hashable, Sendable {
    package var label: String
    package var timeRange: Range<TimeInterval>

    package init(_ label: String, _ timeRange: Range<TimeInterval>) {
      (self.label, self.timeRange) = (label, timeRange)
    }

    var seconds: TimeInterval { timeRange.upperBound - timeRange.lowerBound }

    func overlap(_ other: Stretch) -> TimeInterval {
      let range = timeRange.clamped(to: other.timeRange)
      return range.upperBound - range.lowerBound
    }
  }

  /// A video with its labelled segments and the stretches that were named.
  package struct Video: Hashable, Sendable {
    package let file: String
    /// The length of its labelled time, in seconds.
    package let seconds: TimeInterval
    /// The segments of actions, in order; those of one action that touch are one.
    package let truth: [Stretch]
    /// The labelled segments without an action.
    package let background: [Stretch]
    /// The parts of named actions in labelled time, in order; background is not among them.
    package let named: [Stretch]
    /// The named actions that have a part in labelled time, as they were named.
    private let evaluated: [Stretch]
    /// The named actions where nothing is labelled, in order.
    package let unlabelled: [Stretch]
    /// The labels of each group that may be named in their place.
    private let groups: [String: [String]]

    /// - Parameters:
    ///   - segments: The labelled segments, of any class.
    ///   - named: The stretches that were named, of any class or group.
    ///   - groups: The labels of each group.
    package init(
      file: String, segments: [Stretch], named: [Stretch], groups: [String: [String]] = [:]
    ) {
      self.file = file
      self.groups = groups
      truth = Self.joined(segments.filter { !DataChecks.isNegative($0.label) })
      background = segments.filter { DataChecks.isNegative($0.label) }
      let labelled = Self.joined(segments.map { Stretch("", $0.timeRange) })
      seconds = labelled.reduce(0) { $0 + $1.seconds }
      let actions = Self.joined(named.filter { !DataChecks.isNegative($0.label) })
      let parts = actions.map { stretch in
        labelled.filter { $0.overlap(stretch) > 0 }.map {
          Stretch(stretch.label, stretch.timeRange.clamped(to: $0.timeRange))
        }
      }
      self.named = parts.flatMap(\.self)
      evaluated = zip(actions, parts).filter { !$1.isEmpty }.map(\.0)
      unlabelled = zip(actions, parts).filter(\.1.isEmpty).map(\.0)
    }

    /// The named actions in labelled time that overlap no segment of theirs, and groups none of their
    /// labels'.
    package var falseStretches: [Stretch] {
      evaluated.filter { stretch in
        let labels = groups[stretch.label] ?? [stretch.label]
        return !truth.contains { labels.contains($0.label) && $0.overlap(stretch) > 0 }
      }
    }

    /// Joins stretches of one label that follow each other within a frame or two.
    private static func joined(_ stretches: [Stretch]) -> [Stretch] {
      var joined: [Stretch] = []
      for stretch in stretches.sorted(by: { $0.timeRange.lowerBound < $1.timeRange.lowerBound }) {
        if let last = joined.last, last.label == stretch.label,
          stretch.timeRange.lowerBound - last.timeRange.upperBound < 0.07
        {
          let end = max(last.timeRange.upperBound, stretch.timeRange.upperBound)
          joined[joined.count - 1].timeRange = last.timeRange.lowerBound..<end
        } else {
          joined.append(stretch)
        }
      }
      return joined
    }
  }

  package let videos: [Video]

  package init(_ videos: [Video]) { self.videos = videos }

  /// The length of the labelled time of all videos, in seconds.
  package var seconds: TimeInterval { videos.reduce(0) { $0 + $1.seconds } }

  /// The share of the labelled time that has the right name, or none in the background; `nil`
  /// without labelled time.
  package var frameAccuracy: Double? {
    var (right, total) = (0.0, 0.0)
    for video in videos {
      for segment in video.truth {
        total += segment.seconds
        right += video.named.filter { $0.label == segment.label }.reduce(0) {
          $0 + $1.overlap(segment)
        }
      }
      for segment in video.background {
        total += segment.seconds
        right += segment.seconds - video.named.reduce(0) { $0 + $1.overlap(segment) }
      }
    }
    return total > 0 ? right / total : nil
  }

  /// 1 less the share of edits that make the order of the named actions that of the segments, from
  /// 0 to 1: the mean over the videos; `nil` without videos.
  package var editScore: Double? {
    guard !videos.isEmpty else { return nil }
    return videos.reduce(0) { sum, video in
      let (truth, named) = (video.truth.map(\.label), video.named.map(\.label))
      let length = max(truth.count, named.count)
      guard length > 0 else { return sum + 1 }
      return sum + 1 - Double(Self.editDistance(truth, named)) / Double(length)
    } / Double(videos.count)
  }

  /// F1 over the segments, where a named stretch is right if its intersection with a segment of its
  /// action over their union is at least `overlap`; `nil` where there is nothing.
  package func f1(overlap: Double) -> Double? {
    var (right, all) = (0, 0)
    for video in videos {
      all += video.truth.count + video.named.count
      var free = Array(video.truth.indices)
      for stretch in video.named {
        let shares = free.filter { video.truth[$0].label == stretch.label }.map { index in
          let common = stretch.overlap(video.truth[index])
          return (index, common / (stretch.seconds + video.truth[index].seconds - common))
        }
        guard let best = shares.max(by: { $0.1 < $1.1 }), best.1 >= overlap else { continue }
        right += 1
        free.removeAll { $0 == best.0 }
      }
    }
    return all > 0 ? 2 * Double(right) / Double(all) : nil
  }

  /// The named actions in labelled time that overlap no segment of theirs, and groups none of their
  /// labels', with their files.
  package var falseStretches: [(file: String, stretch: Stretch)] {
    videos.flatMap { video in video.falseStretches.map { (video.file, $0) } }
  }

  /// The named actions where nothing is labelled, with their files.
  package var unlabelled: [(file: String, stretch: Stretch)] {
    videos.flatMap { video in video.unlabelled.map { (video.file, $0) } }
  }

  /// The number of false stretches for a minute of labelled time.
  package var falseStretchesPerMinute: Double {
    seconds > 0 ? Double(falseStretches.count) * 60 / seconds : 0
  }

  /// The segments whose action is never named during them, with their files.
  package var unnamed: [(file: String, stretch: Stretch)] {
    videos.flatMap { video in
      video.truth.filter { Self.delay(of: $0, in: video) == nil }.map { (video.file, $0) }
    }
  }

  /// How long after the beginning of a segment its action is named, in seconds, for those that are named
  /// at all.
  package var delays: [TimeInterval] {
    videos.flatMap { video in video.truth.compactMap { Self.delay(of: $0, in: video) } }
  }

  /// The median of ``delays``; `nil` where there are none.
  package var medianDelay: TimeInterval? {
    let delays = delays.sorted()
    guard !delays.isEmpty else { return nil }
    return (delays[(delays.count - 1) / 2] + delays[delays.count / 2]) / 2
  }

  private static func delay(of segment: Stretch, in video: Video) -> TimeInterval? {
    video.named.first { $0.label == segment.label && $0.overlap(segment) > 0 }.map {
      max(0, $0.timeRange.lowerBound - segment.timeRange.lowerBound)
    }
  }

  /// Levenshtein's distance.
  private static func editDistance(_ first: [String], _ second: [String]) -> Int {
    var row = Array(0...second.count)
    for (index, label) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (place, other) in second.enumerated() {
        let change = diagonal + (label == other ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(change, row[place] + 1, row[place + 1] + 1)
      }
    }
    return row[second.count]
  }
}

// MARK: - What people see

extension TimelineEvaluation.Stretch {
  /// The actions of a video's windows, each over the time nearest to its middle, as a file's table
  /// shows them.
  package static func ofFile(_ predictions: [ActionPrediction]) -> [Self] {
    zip(predictions, ActionSummary.stretches(of: predictions)).compactMap { prediction, range in
      prediction.isModelLabel ? Self(prediction.label, range) : nil
    }
  }

  /// The actions of windows as a live page shows them: each from the end of its window until the
  /// next window has ended.
  package static func ofStream(_ predictions: [ActionPrediction], until end: TimeInterval) -> [Self]
  {
    predictions.indices.compactMap { index in
      let start = predictions[index].timeRange.upperBound
      let next =
        index + 1 < predictions.count ? predictions[index + 1].timeRange.upperBound : end
      guard predictions[index].isModelLabel, start < next else { return nil }
      return Self(predictions[index].label, start..<next)
    }
  }
}
