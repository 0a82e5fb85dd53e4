package import Foundation
import KinemaPose

/// Checks of labelled videos before their poses are extracted: rows, labels, times and lengths.
package struct EarlyFindings: Sendable {
  /// Findings about the training set.
  package var training: [DataFinding]
  /// Findings about the validation set.
  package var validation: [DataFinding]
  /// Findings about the test set.
  package var test: [DataFinding]

  /// Checks the listings of the three sets.
  ///
  /// - Parameters:
  ///   - seconds: The length of the video at a path; `nil` where it is not known.
  ///   - addedLabels: Labels that a transfer adds.
  package init(
    training: DataListing, validation: DataListing, test: DataListing, windowSize: Int,
    frameRate: Double, addedLabels: Set<String> = [], seconds: (URL) -> Double?
  ) {
    let checks = DataChecks(
      windowSize: windowSize, frameRate: frameRate, addedLabels: addedLabels)
    var examples: [[ActionExample]] = []
    var findings: [[DataFinding]] = []
    for listing in [training, validation, test] {
      let (sketches, problems) = Self.sketches(of: listing, seconds: seconds)
      examples.append(sketches)
      findings.append(
        listing.findings + listing.overlaps + problems
          + checks.findings(about: sketches).filter { $0.kind == .shortClip })
    }
    let split = DataSplit(unchecked: examples[0], examples[1], examples[2])
    if !examples[0].isEmpty {
      for finding in checks.findings(about: split) {
        // Labels of another set that training lacks are reported there.
        let index =
          finding.kind != .unmatchedClass
          ? 0 : finding.message.contains("in the validation data") ? 1 : 2
        findings[index].append(finding)
      }
    }
    findings[0] += split.leaks
    self.training = findings[0].errors + findings[0].filter { $0.severity != .error }
    self.validation = findings[1].errors + findings[1].filter { $0.severity != .error }
    self.test = findings[2].errors + findings[2].filter { $0.severity != .error }
  }

  /// Examples without poses, and findings about times past the end.
  private static func sketches(
    of listing: DataListing, seconds: (URL) -> Double?
  ) -> (examples: [ActionExample], findings: [DataFinding]) {
    var findings: [DataFinding] = []
    let examples = listing.annotations.compactMap { annotation -> ActionExample? in
      let id = annotation.url.standardizedFileURL.absoluteString
      let length = seconds(annotation.url) ?? 0
      var person = ProminentPerson()
      person.duration = length
      let checked = person.example(for: annotation, videoID: id).findings
        .filter { $0.kind == .pastEnd }
      if length > 0 { findings += checked }
      guard checked.errors.isEmpty || length == 0 else { return nil }
      let start = annotation.start.flatMap(Self.seconds) ?? 0
      let end = annotation.end.flatMap(Self.seconds) ?? (length > 0 ? length : .infinity)
      return ActionExample(
        label: annotation.label, file: annotation.file, videoID: id, person: annotation.person,
        timeRange: start..<max(start, length > 0 ? min(end, length) : end), poses: PoseSequence())
    }
    return (examples, findings)
  }

  private static func seconds(_ moment: ActionAnnotation.Moment) -> Double? {
    if case .seconds(let seconds) = moment { seconds } else { nil }
  }
}
