package import KinemaErrors

/// What Studio reports: a stable name with values, and the sentence in English.
///
/// Sent as JSON beside the sentence, `{"noRun":{"number":"3"}}`, so that pages put it into words of
/// their own. A name and its values never change their meaning; new ones may be added. Where a reason
/// is another module's sentence, `text` says the same by name.
package enum StudioMessage: Codable, Hashable, Sendable {
  /// What could not be stored.
  package enum Part: String, Codable, Sendable {
    case annotations, change, chunk, items, model, poses, project, run, take, upload
  }

  /// What a run was ordered to do.
  package enum Order: String, Codable, Sendable {
    case pause, resume, stop, more
  }

  // What was sent is unusable.
  case badBody(fault: String)
  case badValue(name: String, wanted: String)
  case badName(limit: Int)
  case longText(limit: Int)
  case badParameters(reason: String, text: MessageText?)
  case wrongNetwork
  case largeSeed(limit: Int)
  case badLabel(file: String, limit: Int)
  case badPerson(file: String, limit: Int)
  case badTimes(file: String)
  case tooManyItems(limit: Int)
  case badSize(size: Int64, limit: Int64)
  case longChunk(size: Int64)
  case emptyChunk

  // It is not there.
  case noProject(id: String)
  case noProjectFile(folder: String)
  case noDeletedProject(id: String)
  case noItem(id: String)
  case noMedium(file: String)
  case notOffered(path: String)
  case noFolders
  case noUpload(id: String)
  case noRun(number: String)
  case noSnapshot(number: Int, iteration: Int)
  case noModel(id: String)
  case noLayout(reason: String, text: MessageText?)

  // It contradicts the present state.
  case projectExists(folder: String)
  case projectElsewhere(id: String, folder: String)
  case mediumInUse(file: String, items: Int)
  case nothingToTrain
  case wrongState(number: Int, state: RunRecord.State, order: Order)
  case noSnapshotNow(number: Int, state: RunRecord.State)
  case noEpochYet(number: Int)
  case tooManySnapshots(number: Int, limit: Int)
  case lastRun(number: Int)
  case runUnderWay(number: Int, state: RunRecord.State)
  case noEvaluation(number: Int, well: Well)
  case noRunModel
  case otherServer
  case readOnlyProject(folder: String)
  case changedElsewhere(file: String)
  case stoppedEarly

  case posesMissing(file: String)

  // A file cannot be read as what it should be.
  case notMedia(name: String)
  case unusableFile(file: String, reason: String, text: MessageText?)
  case illegibleName(file: String)
  case noColumns(file: String)
  case badProjectFile(file: String, fault: String)
  case otherVersion(file: String, format: String, version: Int)
  case badRun(file: String, fault: String)
  case nobodyVisible
  case badData(reason: String, text: MessageText?)
  case moreFindings(count: Int)
  case fileGone(file: String)
  case startsAfterEnd(file: String)
  case badRowTime(table: String, row: Int, time: String)
  case rowWithoutFile(table: String, row: Int)
  case rowWithoutLabel(table: String, row: Int)

  // Too much work is under way.
  case tooManyUploads(count: Int)
  case tooMuchWork

  // A folder or file cannot be written or read.
  case notStored(part: Part, reason: String, text: MessageText? = nil)
  case noRoom(file: String, size: Int64)
  case unreadableFile(file: String)
  case missingPart(reason: String, text: MessageText?)
  case failed(reason: String, text: MessageText?)

  /// The most letters of a text that was sent.
  private static let longestQuotation = 200

  /// A text that was sent, shortened for a sentence.
  package static func quoted(_ text: some StringProtocol) -> String {
    String(text.prefix(longestQuotation))
  }

  /// What another module reports of data.
  package static func badData(_ other: some Reported) -> StudioMessage {
    .badData(reason: other.message, text: other.text)
  }
}

extension StudioMessage {
  /// The kind of failure.
  package var code: StudioErrorCode {
    switch self {
    case .badBody, .badValue, .badName, .longText, .badParameters, .wrongNetwork, .largeSeed,
      .badLabel, .badPerson, .badTimes, .tooManyItems, .badSize, .longChunk, .emptyChunk:
      .badRequest
    case .noProject, .noProjectFile, .noDeletedProject, .noItem, .noMedium, .notOffered,
      .noFolders, .noUpload, .noRun, .noSnapshot, .noModel, .noLayout:
      .notFound
    case .projectExists, .projectElsewhere, .mediumInUse, .nothingToTrain, .wrongState,
      .noSnapshotNow, .noEpochYet, .tooManySnapshots, .lastRun, .runUnderWay, .noEvaluation,
      .noRunModel,
      .otherServer, .readOnlyProject, .changedElsewhere, .stoppedEarly:
      .conflict
    case .posesMissing: .notExtracted
    case .notMedia, .unusableFile, .illegibleName, .noColumns, .badProjectFile, .otherVersion,
      .badRun, .nobodyVisible, .badData, .moreFindings, .fileGone, .startsAfterEnd, .badRowTime,
      .rowWithoutFile, .rowWithoutLabel:
      .badFile
    case .tooManyUploads, .tooMuchWork: .busy
    case .notStored, .noRoom, .unreadableFile, .missingPart, .failed: .storage
    }
  }

  /// The sentence in English: what is wrong, and what to do.
  package var sentence: String { MessageText(case: self).sentence }
}

extension MessageText {
  /// The name of an enumeration's case, with its associated values by their labels.
  init(case value: some Sendable, prefix: String = "") {
    guard let payload = Mirror(reflecting: value).children.first, let name = payload.label else {
      self.init("\(prefix)\(value)")
      return
    }
    var values: [String: String] = [:]
    for child in Mirror(reflecting: payload.value).children {
      if let label = child.label, label != "text" { values[label] = "\(child.value)" }
    }
    self.init(prefix + name, values)
  }
}
