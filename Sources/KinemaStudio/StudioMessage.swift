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
  case runUnderWay(number: Int, state: RunRecord.State)
  case noEvaluation(number: Int, well: Well)
  case noRunModel
  case otherServer
  case stoppedEarly

  case posesMissing(file: String)

  // A file cannot be read as what it should be.
  case notMedia(name: String)
  case unusableFile(file: String, reason: String, text: MessageText?)
  case noColumns(file: String)
  case badProjectFile(file: String, fault: String)
  case otherVersion(file: String, format: String, version: Int)
  case badRun(file: String, fault: String)
  case nobodyVisible
  case badData(reason: String, text: MessageText?)
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
      .noSnapshotNow, .noEpochYet, .tooManySnapshots, .runUnderWay, .noEvaluation, .noRunModel,
      .otherServer, .stoppedEarly:
      .conflict
    case .posesMissing: .notExtracted
    case .notMedia, .unusableFile, .noColumns, .badProjectFile, .otherVersion, .badRun,
      .nobodyVisible, .badData, .fileGone, .startsAfterEnd, .badRowTime, .rowWithoutFile,
      .rowWithoutLabel:
      .badFile
    case .tooManyUploads, .tooMuchWork: .busy
    case .notStored, .noRoom, .unreadableFile, .missingPart, .failed: .storage
    }
  }

  /// The sentence in English: what is wrong, and what to do.
  package var sentence: String {
    switch self {
    case .badBody(let fault): "The body cannot be read: \(fault)"
    case .badValue(let name, let wanted): "“\(name)” cannot be used: give \(wanted)."
    case .badName(let limit):
      "The name cannot be used: give 1 to \(limit) characters on one line."
    case .longText(let limit): "A text of the metadata is longer than \(limit) bytes."
    case .badParameters(let reason, _): reason
    case .wrongNetwork: "A training that starts from a model uses that model's network."
    case .largeSeed(let limit): "The seed is too large: use at most \(limit)."
    case .badLabel(let file, let limit):
      "The label of \(file) cannot be used: give 1 to \(limit) bytes on one line."
    case .badPerson(let file, let limit):
      "The person of \(file) cannot be used: give 1 to \(limit) bytes on one line."
    case .badTimes(let file):
      "The times of \(file) cannot be used: give seconds from its start, the end after the start."
    case .tooManyItems(let limit): "A project has at most \(limit) items: remove some first."
    case .badSize(let size, let limit): "A file has 1 to \(limit) bytes, not \(size)."
    case .longChunk(let size):
      "The chunk goes beyond the file's \(size) bytes: send what is left."
    case .emptyChunk: "The chunk is empty."
    case .noProject(let id): "There is no project “\(id)”."
    case .noProjectFile(let folder):
      "There is no project in \(folder): it needs a readable project.json."
    case .noDeletedProject(let id): "There is no deleted project “\(id)”."
    case .noItem(let id): "There is no item “\(id)”."
    case .noMedium(let file): "There is no video or pose file “\(file)” that may be used."
    case .notOffered(let path):
      "“\(path)” is not in a folder that this server offers: start it with --folder."
    case .noFolders: "This server offers no folders: start it with --folder."
    case .noUpload(let id): "There is no upload “\(id)”."
    case .noRun(let number): "There is no run “\(number)”."
    case .noSnapshot(let number, let iteration):
      "Run \(number) has no snapshot of iteration \(iteration)."
    case .noModel(let id): "There is no model “\(id)” to start from."
    case .noLayout(let reason, _): reason
    case .projectExists(let folder): "There is a project in \(folder)."
    case .projectElsewhere(let id, let folder):
      "“\(id)” is in \(folder), outside of the library: delete its folder."
    case .mediumInUse(let file, let items):
      "\(file) is used by \(items) \(items == 1 ? "item" : "items"): remove "
        + "\(items == 1 ? "it" : "them") first."
    case .nothingToTrain: "There are no items for training: add some."
    case .wrongState(let number, let state, let order):
      "Run \(number) is \(state.rawValue): it cannot be \(order.participle)."
    case .noSnapshotNow(let number, let state):
      "Run \(number) is \(state.rawValue): a snapshot is made while it trains or is paused."
    case .noEpochYet(let number): "No epoch of run \(number) is complete yet: wait a moment."
    case .tooManySnapshots(let number, let limit):
      "Run \(number) has \(limit) snapshots: delete one first."
    case .runUnderWay(let number, let state):
      "Run \(number) is \(state.rawValue): wait for its end."
    case .noEvaluation(let number, let well): "Run \(number) has no items for \(well.rawValue)."
    case .noRunModel: "The run has no model yet: wait for its end, or make a snapshot."
    case .otherServer: "Another server trains this project: use that one, or end it first."
    case .stoppedEarly: "It was stopped before an epoch was complete, so that it has no model."
    case .posesMissing(let file): "The poses of \(file) are not known yet: extract them."
    case .notMedia(let name):
      "“\(name)” is not a video or pose file by its name: see the formats."
    case .unusableFile(let file, let reason, _): "\(file) cannot be used: \(reason)"
    case .noColumns(let file):
      "\(file) has no columns file_name and label: name them in its first row."
    case .badProjectFile(let file, let fault): "\(file) is not a project file: \(fault)"
    case .otherVersion(let file, let format, let version):
      "\(file) is a \(format) of version \(version): a newer Kinema may open it."
    case .badRun(let file, let fault): "\(file) cannot be read: \(fault)"
    case .nobodyVisible:
      "No person is visible in the take: record it with the whole body in the frame."
    case .badData(let reason, _): reason
    case .fileGone(let file): "\(file) is not there."
    case .startsAfterEnd(let file): "The item starts after the end of \(file)."
    case .badRowTime(let table, let row, let time):
      "\(table), row \(row) has the time “\(time)”: give seconds, such as 12.5."
    case .rowWithoutFile(let table, let row): "\(table), row \(row) has no file."
    case .rowWithoutLabel(let table, let row): "\(table), row \(row) has no label."
    case .tooManyUploads(let count): "There are \(count) uploads: finish or remove one first."
    case .tooMuchWork: "Other videos are being processed: try again in a moment."
    case .notStored(let part, let reason, _): "The \(part.rawValue) cannot be stored: \(reason)"
    case .noRoom(let file, let size):
      "There is no room for \(file) (\(size) bytes): make room first."
    case .unreadableFile(let file): "\(file) cannot be read: check its permissions."
    case .missingPart(let reason, _): reason
    case .failed(let reason, _): "The work has failed: \(reason)"
    }
  }
}

extension StudioMessage.Order {
  fileprivate var participle: String {
    switch self {
    case .pause: "paused"
    case .resume: "resumed"
    case .stop: "stopped"
    case .more: "trained for longer"
    }
  }
}
