import KinemaTraining

extension EvaluationPage {
  /// Precision, recall, F1 and support of each label, with bars.
  var classes: HTML {
    let metrics = evaluation.frames.perClass
    let most = Double(max(1, metrics.map(\.support).max() ?? 1))
    let rows = metrics.enumerated().map { index, metric -> HTML in
      """
      <tr><th scope="row">\(swatch(index))\(metric.label)</th>\(share(metric.precision, index))\
      \(share(metric.recall, index))\(share(metric.f1, index))<td class="number">\
      <span class="bar thin"><i style="width:\(Double(metric.support) / most * 100)%"></i></span>\
      <span class="value">\(metric.support)</span></td></tr>
      """
    }
    return """
      <section><h2>Labels</h2><p class="hint">Counted in frames. Precision: how much of what was \
      taken for the label is it. Recall: how much of the label was found.</p>
      <div class="scroll"><table class="classes"><thead><tr><th>Label</th><th>Precision</th>\
      <th>Recall</th><th>F1</th><th>Frames</th></tr></thead><tbody>\(HTML(rows))</tbody></table>\
      </div></section>
      """
  }

  private func share(_ value: Double?, _ index: Int) -> HTML {
    let style = "width:\(HTML.fixed((value ?? 0) * 100, 1))%;background:\(LabelColors.color(index))"
    return """
      <td class="number"><span class="bar"><i style="\(style)"></i></span>\
      <span class="value">\(HTML.percent(value))</span></td>
      """
  }

  func swatch(_ index: Int) -> HTML {
    "<i class=\"swatch\" style=\"background:\(LabelColors.color(index))\"></i>"
  }

  /// The confusion matrix as a heat map: each row's shares as shades, the counts as numbers.
  var matrix: HTML {
    let labels = evaluation.labels
    let counts = evaluation.frames.counts
    let head = labels.enumerated().map { index, label -> HTML in
      "<th scope=\"col\" title=\"\(label)\"><span>\(swatch(index))\(label)</span></th>"
    }
    let rows = labels.indices.map { truth -> HTML in
      let support = counts[truth].reduce(0, +)
      let cells = labels.indices.map { predicted in
        cell(counts[truth][predicted], of: support, truth: truth, predicted: predicted)
      }
      return """
        <tr><th scope="row" title="\(labels[truth])"><span>\(swatch(truth))\(labels[truth])</span>\
        </th>\(HTML(cells))</tr>
        """
    }
    return """
      <section><h2>Confusion</h2><p class="hint">Rows: what is done. Columns: what the model says. \
      Shares of the row; frames below.</p><div class="scroll"><table class="matrix"><thead><tr>\
      <td></td>\(HTML(head))</tr></thead><tbody>\(HTML(rows))</tbody></table></div></section>
      """
  }

  private func cell(_ count: Int, of support: Int, truth: Int, predicted: Int) -> HTML {
    let title = "\(evaluation.labels[truth]) taken for \(evaluation.labels[predicted]): \(count)"
    guard support > 0, count > 0 else { return "<td title=\"\(title)\" class=\"none\">·</td>" }
    let share = Double(count) / Double(support)
    let shade = truth == predicted ? "var(--good-rgb)" : "var(--bad-rgb)"
    let strength = HTML.fixed(0.12 + 0.83 * share, 3)
    let kind = share > 0.72 ? "strong" : ""
    return """
      <td title="\(title)" class="\(kind)" style="background:rgba(\(shade),\(strength))">\
      <b>\(HTML.fixed(share * 100, share >= 0.1 ? 0 : 1))\u{202f}%</b><small>\(count)</small></td>
      """
  }

  /// The wrong windows, highest confidence first.
  var mistakeTable: HTML {
    let mistakes = evaluation.mistakes(limit: Self.mistakeLimit)
    let wrong = evaluation.windows.total - evaluation.windows.correctCount
    guard !mistakes.isEmpty else {
      return "<section><h2>Worst mistakes</h2><p class=\"hint\">There are none.</p></section>"
    }
    let hasPictures = pictures.contains { $0 != nil }
    let pictureHead: HTML = hasPictures ? "<th>Picture</th>" : .empty
    let rows = mistakes.enumerated().map { index, mistake -> HTML in
      let picture = pictures.indices.contains(index) ? pictures[index] : nil
      let drawing = picture?.drawing(
        label: "\(mistake.label) taken for \(mistake.predicted), with the skeleton")
      let pictureCell: HTML = hasPictures ? "<td>\(drawing ?? .empty)</td>" : .empty
      let label = evaluation.labels.firstIndex(of: mistake.label) ?? 0
      let predicted = evaluation.labels.firstIndex(of: mistake.predicted) ?? 0
      return """
        <tr>\(pictureCell)<td class="file" title="\(mistake.file)">\(shortName(mistake.file))<br>\
        <span class="time">\(HTML.clock(mistake.timeRange.lowerBound))–\
        \(HTML.clock(mistake.timeRange.upperBound))</span></td>\
        <td>\(swatch(label))\(mistake.label)</td>\
        <td>\(swatch(predicted))\(mistake.predicted)</td><td class="number">\
        <span class="bar"><i style="width:\(mistake.confidence * 100)%;background:var(--bad)"></i>\
        </span><span class="value">\(HTML.percent(mistake.confidence))</span></td>\
        <td class="right">\(HTML.percent(mistake.truthProbability))</td></tr>
        """
    }
    let count: HTML =
      wrong > mistakes.count
      ? "The \(mistakes.count) most confident of \(wrong) windows"
      : wrong == 1 ? "The one window" : "All \(wrong) windows"
    return """
      <section><h2>Worst mistakes</h2><p class="hint">\(count) with a wrong \
      label.</p><div class="scroll"><table class="mistakes"><thead><tr>\(pictureHead)\
      <th>File, time</th><th>Is</th><th>Taken for</th><th>Probability</th><th>Of the truth</th></tr>\
      </thead><tbody>\(HTML(rows))</tbody></table></div></section>
      """
  }

  /// The last two parts of a path, which are mostly label and file.
  func shortName(_ file: String) -> String {
    file.split(separator: "/").suffix(2).joined(separator: "/")
  }
}
