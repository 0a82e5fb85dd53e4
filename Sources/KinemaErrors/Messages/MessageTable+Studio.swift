extension MessageTable {
  /// What Studio reports, and the words of values.
  static let studio = """
    # Messages.
    longText: A text of the metadata is longer than {limit} bytes: shorten it.
    wrongNetwork: A training that starts from a model uses that model's network.
    largeSeed: The seed is too large: use at most {limit}.
    badLabel: The label of {file} cannot be used: give 1 to {limit} bytes on one line.
    badPerson: The person of {file} cannot be used: give 1 to {limit} bytes on one line.
    badTimes: The times of {file} cannot be used: give seconds from its start, the end after \
    the start.
    tooManyItems: A project has at most {limit} clips: remove some first.
    badSize: A file has 1 to {limit} bytes, not {size}.
    noProject: There is no project “{id}”.
    noProjectFile: There is no project in {folder}: it needs a readable project.json.
    noDeletedProject: There is no deleted project “{id}”.
    noItem: There is no clip “{id}” any more.
    noMedium: There is no video or pose file “{file}” that may be used.
    notOffered: “{path}” is not in a folder that this server offers: start it with --folder.
    noFolders: This server offers no folders: start it with --folder.
    noUpload: There is no upload “{id}” any more: start it again.
    noRun: There is no run “{number}”.
    noSnapshot: Run {number} has no snapshot of iteration {iteration}.
    noModel: There is no model “{id}” to start from.
    projectExists: There is a project in {folder}.
    projectElsewhere: “{id}” is in {folder}, outside of the library: delete its folder.
    mediumInUse: {file} is used by {items} {items:clip|clips}: remove {items:it|them} first.
    nothingToTrain: There are no clips for training: add some.
    wrongState: Run {number}: {state}. It cannot be {order}.
    noSnapshotNow: Run {number}: {state}. A snapshot is made while it trains or is paused.
    noEpochYet: No iteration of run {number} is complete yet: wait a moment.
    tooManySnapshots: Run {number} has {limit} snapshots: delete one first.
    lastRun: Run {number} has the largest number that there may be: delete it first.
    runUnderWay: Run {number}: {state}. Wait for its end.
    noEvaluation: Run {number} has no clips in this well ({well}).
    noRunModel: The run has no model yet: wait for its end, or make a snapshot.
    otherServer: Another server trains this project: use that one, or end it first.
    readOnlyProject: Another server has the project in {folder} open: change it there, or end that one.
    changedElsewhere: The segments of {file} were changed elsewhere meanwhile: choose which to keep.
    stoppedEarly: It was stopped before an iteration was complete, so that it has no model.
    posesMissing: The poses of {file} are not known yet: extract them.
    notMedia: “{name}” is not a video or pose file by its name.
    badData: {reason}
    moreFindings: There are {count} more of this kind.
    noLayout: {reason}
    badParameters: {reason}
    missingPart: {reason}
    unusableFile: {file} cannot be used: {reason}
    illegibleName: The name of “{file}” is not UTF-8, so that it cannot be used: rename it.
    noColumns: {file} has no columns file_name and label: name them in its first row.
    badProjectFile: {file} is not a project file: {fault}
    otherVersion: {file} is a {format} of version {version}: a newer Kinema may open it.
    badRun: {file} cannot be read: {fault}
    nobodyVisible: No person is visible in the take: record it with the whole body in the frame.
    startsAfterEnd: The clip starts after the end of {file}.
    badRowTime: {table}, row {row} has the time “{time}”: give seconds, such as 12.5.
    rowWithoutFile: {table}, row {row} has no file.
    rowWithoutLabel: {table}, row {row} has no label.
    tooManyUploads: There are {count} uploads: finish or remove one first.
    tooMuchWork: Other videos are being processed: try again in a moment.
    notStored: {part} cannot be stored: {reason}
    noRoom: There is no room for {file} ({size} bytes): make room first.
    failed: The work has failed: {reason}
    badBody: The body cannot be read: {fault}
    badValue: “{name}” cannot be used: give {wanted}.
    longChunk: The chunk goes beyond the file's {size} bytes: send what is left.
    emptyChunk: The chunk is empty: send what is left.

    # Notes on the model of a run.
    note.notEvaluated: The clips of a well ({well}) were not evaluated: {reason}
    note.notCalibrated: It was stopped in iteration {iteration}: its confidence is not \
    calibrated by takes that are left out.
    note.takesRight: {right} of {takes} takes were classified right by models that were trained \
    without them. Other people may be classified less well.
    note.noValidation: There are no clips for validation: the model is that of the last \
    iteration, and how well it classifies other videos is not known.

    # Words.
    set.training: training clips
    set.validation: validation clips
    set.test: testing clips
    otherSet.training: training clips
    otherSet.validation: validation clips
    otherSet.test: testing clips
    part.annotations: The annotations
    part.change: The change
    part.chunk: The upload
    part.items: The clips
    part.model: The model
    part.poses: The poses
    part.project: The project
    part.run: The run
    part.take: The take
    part.upload: The upload
    order.pause: paused
    order.resume: resumed
    order.stop: stopped
    order.more: trained for longer
    """
}
