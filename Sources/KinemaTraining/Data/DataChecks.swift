import KinemaAction
import KinemaCounting
import KinemaPose

struct DataChecks {
  let windowSize: Int
  let frameRate: Double
  /// Labels whose examples are not in the data: those of a transfer.
  var addedLabels: Set<String> = []
  /// Whether the examples are pictures, of single poses.
  var isOfPictures: Bool { windowSize == 1 }

  /// A class with fewer videos is small.
  private static let fewestVideos = 5
  /// The largest ratio of footage between two classes.
  private static let largestRatio = 10.0
  /// The speed from which a camera is moving, in frame widths a second.
  static let cameraSpeed = 0.02
  /// The joints that show whether a body is in the frame.
  private static let outline: [JointKey] = [
    .nose, .leftShoulder, .rightShoulder, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle,
    .rightAnkle,
  ]

  // MARK: - Classes

  func findings(about split: DataSplit) -> [DataFinding] {
    let footage = Dictionary(grouping: split.training, by: \.label).mapValues {
      DataReport.Footage($0)
    }
    let labels = footage.keys.sorted()
    var findings: [DataFinding] = []
    if labels.isEmpty || addedLabels.union(labels).count < 2 {
      let what = labels.first.map { "only one class, “\($0)”" } ?? "no examples"
      findings.append(
        DataFinding(
          .error, .oneClass,
          "The training data has \(what): give at least two, such as an action and “other”.",
          text: labels.first.map { MessageText("oneClass", ["label": $0]) }
            ?? MessageText("noExamples")))
    } else if !addedLabels.union(labels).contains(where: Self.isNegative) {
      let pictures = MessageText("noNegativePose")
      findings.append(
        isOfPictures
          ? DataFinding(.warning, .noNegativeClass, pictures)
          : DataFinding(
            .warning, .noNegativeClass,
            "No class stands for “none of the actions”, so the model will report an action for "
              + "everything: add videos of people who stand, walk and do other things, labelled "
              + "“other”.", text: MessageText("noNegativeClass")))
    }
    for label in labels {
      guard let count = footage[label]?.videoCount, count < Self.fewestVideos else { continue }
      let least = Self.fewestVideos
      findings.append(
        DataFinding(
          .warning, .smallClass,
          isOfPictures
            ? MessageText("smallPictureClass", ["label": label, "count": count, "least": least])
            : MessageText("smallClass", ["label": label, "count": count, "least": least])))
    }
    let bySeconds = labels.sorted { (footage[$0]?.seconds ?? 0) < (footage[$1]?.seconds ?? 0) }
    if let least = bySeconds.first, let most = bySeconds.last,
      let low = footage[least]?.seconds, let high = footage[most]?.seconds,
      high > Self.largestRatio * low
    {
      findings.append(
        DataFinding(
          .warning, .imbalance,
          MessageText(
            "imbalance",
            [
              "most": most, "seconds": DataText.decimal(high), "least": least,
              "leastSeconds": DataText.decimal(low),
            ])))
    }
    let likeLabels = Dictionary(grouping: labels, by: LabelKinds.folded).values.filter {
      $0.count > 1
    }
    for like in likeLabels.sorted(by: { $0[0] < $1[0] }) {
      let names = like.map { "“\($0)”" }.joined(separator: " and ")
      findings.append(
        DataFinding(.warning, .likeLabels, MessageText("likeLabels", ["labels": names])))
    }
    let learned = Set(labels)
    for (name, examples) in [("validation", split.validation), ("test", split.test)] {
      for label in Set(examples.map(\.label)).subtracting(learned).sorted() {
        findings.append(
          DataFinding(
            .warning, .unmatchedClass,
            MessageText("unmatchedClass", ["label": label, "set": name])))
      }
    }
    return findings
  }

  /// Whether a label is for none of the actions.
  static func isNegative(_ label: String) -> Bool { LabelKinds()[label] == .noAction }

  // MARK: - Segments

  func findings(about examples: [ActionExample]) -> [DataFinding] {
    var files: [String] = []
    var byFile: [String: [ActionExample]] = [:]
    for example in examples {
      if byFile[example.file] == nil { files.append(example.file) }
      byFile[example.file, default: []].append(example)
    }
    return files.flatMap { file in findings(about: byFile[file] ?? [], in: file) }
      + Self.mixedJoints(examples)
  }

  private func findings(about examples: [ActionExample], in file: String) -> [DataFinding] {
    var findings: [DataFinding] = []
    func note(_ kind: DataFinding.Kind, _ text: MessageText) {
      findings.append(DataFinding(.warning, kind, file: file, text.adding(["file": file])))
    }
    let windowSeconds = Double(windowSize) / frameRate
    let short = examples.filter { Self.length($0) < windowSeconds - 0.5 / frameRate }
    if let first = short.first {
      if examples.count == 1 {
        note(
          .shortClip,
          MessageText(
            "shortClip",
            [
              "seconds": DataText.decimal(Self.length(first)),
              "window": DataText.decimal(windowSeconds),
            ]))
      } else {
        note(
          .shortClip,
          MessageText(
            "shortSegments",
            [
              "count": short.count, "total": examples.count,
              "window": DataText.decimal(windowSeconds),
              "start": DataText.decimal(first.timeRange.lowerBound),
            ]))
      }
    }
    let empty = examples.filter { Self.seenShare($0) < 0.1 }
    if let first = empty.first {
      if isOfPictures {
        note(.noPerson, MessageText("noHand"))
      } else if first.poses.joints == JointKey.hand {
        note(.noPerson, MessageText("noHandInClip"))
      } else if examples.count == 1 {
        note(.noPerson, MessageText("nobodyInClip"))
      } else {
        note(
          .noPerson,
          MessageText(
            "nobodyInSegments",
            [
              "count": empty.count, "total": examples.count,
              "start": DataText.decimal(first.timeRange.lowerBound),
            ]))
      }
    }
    let poses = examples.flatMap(\.poses.frames).compactMap(\.poses.first)
      .filter { !$0.keypoints.isEmpty }
    let isOfBodies = examples.allSatisfy { $0.poses.joints == JointKey.body }
    let cut = isOfBodies ? poses.count(where: Self.isCutOff) : 0
    if cut * 2 > poses.count {
      note(.cutOff, MessageText("cutOff", ["share": DataText.percent(cut, of: poses.count)]))
    }
    return findings
  }

  private static func length(_ example: ActionExample) -> Double {
    example.timeRange.upperBound - example.timeRange.lowerBound
  }

  private static func seenShare(_ example: ActionExample) -> Double {
    let frames = example.poses.frames
    let seen = frames.count { $0.poses.first?.keypoints.isEmpty == false }
    return frames.isEmpty ? 0 : Double(seen) / Double(frames.count)
  }

  /// Whether at least two of the joints are outside the frame.
  private static func isCutOff(_ pose: Pose) -> Bool {
    let margin: Float = 0.02
    let outside = outline.count { key in
      guard let place = pose.keypoints[key]?.position else { return false }
      return min(place.x, place.y) < -margin || max(place.x, place.y) > 1 + margin
    }
    return outside >= 2
  }

  private static func mixedJoints(_ examples: [ActionExample]) -> [DataFinding] {
    guard let first = examples.first,
      let other = examples.first(where: { $0.poses.joints != first.poses.joints })
    else { return [] }
    return [
      DataFinding(
        .error, .mixedJoints, file: other.file,
        MessageText("mixedJoints", ["file": other.file, "other": first.file]))
    ]
  }

  // MARK: - Videos

  /// - Parameter labels: The labels of each file, to find a video under two of them.
  func findings(
    about videos: [VideoDescription], labels: [String: Set<String>] = [:]
  ) -> [DataFinding] {
    var findings: [DataFinding] = []
    var fileOfID: [String: String] = [:]
    for video in videos {
      let file = video.file
      if let other = fileOfID[video.videoID], other != file {
        let names = [other, file].map { (labels[$0] ?? []).sorted().joined(separator: ", ") }
        findings.append(
          DataFinding(
            .warning, .duplicate, file: file,
            names[0] == names[1]
              ? MessageText("duplicate", ["file": file, "other": other])
              : MessageText(
                "doubleLabel",
                ["file": file, "label": names[1], "other": other, "otherLabel": names[0]])))
      } else {
        fileOfID[video.videoID] = file
      }
      for warning in video.warnings {
        findings.append(
          DataFinding(
            .warning, .unreadableFile, file: file, warning,
            text: MessageText("damagedParts", ["file": file])))
      }
      if video.frameRate > 0, video.frameRate < frameRate * 0.95 {
        findings.append(
          DataFinding(
            .warning, .lowFrameRate, file: file,
            MessageText(
              "lowFrameRate",
              [
                "file": file, "rate": DataText.decimal(video.frameRate),
                "wanted": DataText.decimal(frameRate),
              ])))
      }
      if let speed = video.cameraSpeed, speed > Self.cameraSpeed {
        findings.append(
          DataFinding(
            .warning, .movingCamera, file: file,
            MessageText("movingCamera", ["file": file, "percent": DataText.decimal(speed * 100)])))
      }
    }
    return findings
  }
}
