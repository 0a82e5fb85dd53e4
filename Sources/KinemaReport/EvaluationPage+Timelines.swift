import Foundation
import KinemaTraining

extension EvaluationPage {
  private struct Video {
    let file: String
    var examples: [ActionClassifierEvaluation.Example]

    var windowCount: Int { examples.reduce(0) { $0 + $1.windows.count } }
    var wrongCount: Int {
      examples.reduce(0) { sum, example in
        sum + example.windows.count { $0.predicted != example.truth }
      }
    }
    var wrongShare: Double { Double(wrongCount) / Double(max(1, windowCount)) }
    var start: TimeInterval {
      examples.flatMap { $0.windows.map(\.timeRange.lowerBound) }.min() ?? 0
    }
    var end: TimeInterval { examples.flatMap { $0.windows.map(\.timeRange.upperBound) }.max() ?? 0 }
  }

  private var videos: [Video] {
    var order: [String: Int] = [:]
    var videos: [Video] = []
    for example in evaluation.examples {
      let key = "\(example.videoID)\u{0}\(example.file)"
      if let index = order[key] {
        videos[index].examples.append(example)
      } else {
        order[key] = videos.count
        videos.append(Video(file: example.file, examples: [example]))
      }
    }
    return videos
  }

  /// A strip a video: the truth, the best prediction and the lower ones.
  var timelines: HTML {
    let all = videos
    let ranked = all.enumerated().sorted {
      ($1.element.wrongShare, $0.offset) < ($0.element.wrongShare, $1.offset)
    }
    let shown = ranked.prefix(Self.timelineLimit).map(\.element)
    let legend = evaluation.labels.enumerated().map { index, label -> HTML in
      "<span>\(swatch(index))\(label)</span>"
    }
    let note: HTML =
      shown.count < all.count
      ? " The \(shown.count) of \(all.count) videos with the most mistakes." : ""
    return """
      <section><h2>Timelines</h2><p class="hint">Upper band: what is done. Middle: the best \
      prediction, paler with lower confidence, underlined in red where it is wrong. Below: the second and \
      the third.\(note)</p><p class="legend">\(HTML(legend))</p>\(HTML(shown.map(strip)))</section>
      """
  }

  private func strip(_ video: Video) -> HTML {
    let (start, end) = (video.start, video.end)
    let length = max(1e-6, end - start)
    func place(_ from: TimeInterval, _ to: TimeInterval) -> String {
      let left = HTML.fixed((from - start) / length * 100, 3)
      return "left:\(left)%;width:\(HTML.fixed(max(0, to - from) / length * 100, 3))%"
    }
    var (truth, best, second, third) = (HTML.empty, HTML.empty, HTML.empty, HTML.empty)
    for example in video.examples {
      let label = evaluation.labels[example.truth]
      let first = example.windows.first?.timeRange.lowerBound ?? 0
      let last = example.windows.last?.timeRange.upperBound ?? 0
      let name = example.label == label ? label : "\(example.label) (\(label))"
      truth += """
        <i style="\(place(first, last));background:\(LabelColors.color(example.truth))" \
        title="\(name)">\(name)</i>
        """
      for (index, window) in example.windows.enumerated() {
        // Up to the next window, where they overlap.
        let until =
          index + 1 < example.windows.count
          ? example.windows[index + 1].timeRange.lowerBound : window.timeRange.upperBound
        let position = place(window.timeRange.lowerBound, until)
        let order = window.probabilities.indices.sorted {
          (window.probabilities[$1], $0) < (window.probabilities[$0], $1)
        }
        let title = titled(window, order, example)
        best += segment(window, order[0], position, title, example)
        if order.count > 1 { second += lower(window, order[1], position, title) }
        if order.count > 2 { third += lower(window, order[2], position, title) }
      }
    }
    let wrong = video.wrongCount
    let verdict: HTML =
      wrong == 0
      ? "<span class=\"fine\">all right</span>"
      : "<span class=\"wrong\">\(wrong) of \(video.windowCount) wrong</span>"
    return """
      <figure class="strip"><figcaption><span title="\(video.file)">\(shortName(video.file))</span>\
      \(verdict)</figcaption><div class="lane truth">\(truth)</div><div class="lane best">\(best)\
      </div><div class="lane second">\(second)</div><div class="lane third">\(third)</div>\
      <div class="times"><span>\(HTML.clock(start))</span>\
      <span>\(HTML.clock((start + end) / 2))</span><span>\(HTML.clock(end))</span></div></figure>
      """
  }

  private func titled(
    _ window: ActionClassifierEvaluation.Window, _ order: [Int],
    _ example: ActionClassifierEvaluation.Example
  ) -> String {
    let times =
      "\(HTML.clock(window.timeRange.lowerBound))–\(HTML.clock(window.timeRange.upperBound))"
    let shares = order.prefix(4).map {
      "\(evaluation.labels[$0]) \(HTML.percent(Double(window.probabilities[$0])))"
    }
    let people = HTML.fixed(window.poseShare * 100, 0)
    return
      ([times] + shares + ["is: \(evaluation.labels[example.truth])", "\(people) % with a person"])
      .joined(separator: "\n")
  }

  private func segment(
    _ window: ActionClassifierEvaluation.Window, _ label: Int, _ position: String, _ title: String,
    _ example: ActionClassifierEvaluation.Example
  ) -> HTML {
    let probability = Double(window.probabilities[label])
    let strength = HTML.fixed(0.45 + 0.55 * probability, 2)
    let kind = label == example.truth ? "" : "wrong"
    return """
      <b class="\(kind)" style="\(position)" title="\(title)"><i style="background:\
      \(LabelColors.color(label));opacity:\(strength)"></i><span>\(evaluation.labels[label])</span></b>
      """
  }

  private func lower(
    _ window: ActionClassifierEvaluation.Window, _ label: Int, _ position: String, _ title: String
  ) -> HTML {
    let probability = Double(window.probabilities[label])
    guard probability >= 0.01 else { return .empty }
    let strength = HTML.fixed(min(1, 0.12 + 1.76 * probability), 2)
    return """
      <i style="\(position);background:\(LabelColors.color(label));opacity:\(strength)" \
      title="\(title)"></i>
      """
  }
}
