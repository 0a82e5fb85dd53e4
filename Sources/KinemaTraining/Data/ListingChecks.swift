import Foundation

extension DataListing {
  /// Overlapping segments as warnings, one for each pair of neighbours; two labels for one whole video
  /// are an error.
  var overlaps: [DataFinding] {
    // Neighbouring segments often share a rounded bound.
    let tolerance = 0.05
    var files: [URL] = []
    var byFile: [URL: [(start: Double, end: Double, annotation: ActionAnnotation)]] = [:]
    for annotation in annotations {
      let url = annotation.url.standardizedFileURL
      let start = Self.value(annotation.start) ?? 0
      let end = Self.value(annotation.end) ?? .infinity
      if byFile[url] == nil { files.append(url) }
      byFile[url, default: []].append((start, end, annotation))
    }
    return files.flatMap { file -> [DataFinding] in
      let segments = (byFile[file] ?? []).enumerated().sorted {
        ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
      }.map(\.element)
      guard var before = segments.first else { return [] }
      var findings: [DataFinding] = []
      for segment in segments.dropFirst() {
        if segment.start < before.end - tolerance {
          let (one, other) = (before.annotation, segment.annotation)
          let what =
            one.label == other.label
            ? "so that this time counts twice" : "but a moment can have one label only"
          // Two labels for one whole video: its times were not understood.
          let isWhole = [one, other].allSatisfy { $0.start == nil && $0.end == nil }
          findings.append(
            DataFinding(
              isWhole && one.label != other.label ? .error : .warning, .overlap, file: other.file,
              "\(other.subject), “\(other.label)”, overlaps with \(one.place ?? one.file), "
                + "“\(one.label)”, \(what): correct the times.",
              text: MessageText(
                "overlap",
                [
                  "place": other.subject, "label": other.label, "other": one.place ?? one.file,
                  "otherLabel": one.label,
                ])))
        }
        if segment.end > before.end { before = segment }
      }
      return findings
    }
  }

  private static func value(_ moment: ActionAnnotation.Moment?) -> Double? {
    switch moment {
    case nil: nil
    case .seconds(let seconds): seconds
    case .frame(let number): Double(number)
    }
  }
}
