// @ts-check
/**
 * The texts of what the server reports, by the names that it gives them (docs/studio-api.md), and of
 * what is wrong with the browser's camera, by the names of its errors. A value may have a text as well:
 * `{state}` is that of `state.paused` where there is one.
 */

export const messages = {
  "error.unreachable": "The computer that runs Kinema cannot be reached.",
  "error.token": "This page needs the server's token: open the address that `kinema studio` printed.",
  "error.internal": "The server could not answer: try again.",
  "error.tooManyRequests": "Too many requests: wait a moment.",

  "camera.InsecureContext": "Browsers allow the camera only on pages opened over https or on this "
    + "computer itself. Open Kinema's https address or choose another source.",
  "camera.NotAllowedError": "The browser blocks the camera for this page. Allow it in the address bar or "
    + "in the system's settings, then start again.",
  "camera.NotFoundError": "No camera was found on this device. Connect one or choose another source.",
  "camera.NotReadableError": "The camera is in use by another program. Close it, then start again.",
  "camera.OverconstrainedError": "The selected camera is no longer available. Start again to use "
    + "another.",
  "camera.SecurityError": "The browser's settings block the camera.",

  "error.badName": "The name cannot be used: give 1 to {limit} characters on one line.",
  "error.longText": "This text is longer than {limit} bytes.",
  "error.wrongNetwork": "A training that starts from a model uses that model's network.",
  "error.largeSeed": "The seed is too large: use at most {limit}.",
  "error.badLabel": "The label cannot be used: give 1 to {limit} bytes on one line.",
  "error.badPerson": "The person's name cannot be used: give 1 to {limit} bytes on one line.",
  "error.badTimes": "The times of {file} cannot be used: give seconds from its start, the end after "
    + "the start.",
  "error.tooManyItems": "A project has at most {limit} clips: remove some first.",
  "error.badSize": "The file is empty or too large.",

  "error.noProject": "There is no project “{id}”.",
  "error.noProjectFile": "There is no project in {folder}: it needs a readable project.json.",
  "error.noDeletedProject": "There is no deleted project “{id}”.",
  "error.noItem": "The clip is not there any more.",
  "error.noMedium": "There is no video or pose file “{file}” that may be used.",
  "error.notOffered": "“{path}” is not in a folder that this server offers: start it with --folder.",
  "error.noFolders": "This server offers no folders: start it with --folder.",
  "error.noUpload": "The upload is not there any more: start it again.",
  "error.noRun": "There is no run {number}.",
  "error.noSnapshot": "Run {number} has no snapshot of iteration {iteration}.",
  "error.noModel": "There is no model “{id}” to start from.",

  "error.projectExists": "There is a project in {folder}.",
  "error.projectElsewhere": "“{id}” is in {folder}, outside of the library: delete its folder.",
  "error.mediumInUse": "{file} is used by {items} {items:clip|clips}: remove {items:it|them} first.",
  "error.nothingToTrain": "There are no clips for training: add some.",
  "error.wrongState": "Run {number}: {state}. It cannot be {order}.",
  "error.noSnapshotNow": "Run {number}: {state}. A snapshot is made while it trains or is paused.",
  "error.noEpochYet": "No iteration of run {number} is complete yet: wait a moment.",
  "error.tooManySnapshots": "Run {number} has {limit} snapshots: delete one first.",
  "error.runUnderWay": "Run {number}: {state}. Wait for its end.",
  "error.noEvaluation": "Run {number} has no clips in this well ({well}).",
  "error.noRunModel": "The run has no model yet: wait for its end, or make a snapshot.",
  "error.otherServer": "Another server trains this project: use that one, or end it first.",
  "error.stoppedEarly": "It was stopped before an iteration was complete, so that it has no model.",

  "error.posesMissing": "The poses of {file} are not known yet: extract them.",
  "error.notMedia": "“{name}” is not a video or pose file by its name.",
  "error.unusableFile": "{file} cannot be used: {reason}",
  "error.noColumns": "{file} has no columns file_name and label: name them in its first row.",
  "error.badProjectFile": "{file} is not a project file: {fault}",
  "error.otherVersion": "{file} is a {format} of version {version}: a newer Kinema may open it.",
  "error.badRun": "{file} cannot be read: {fault}",
  "error.nobodyVisible": "No person is visible in the take: record it with the whole body in the "
    + "frame.",
  "error.fileGone": "{file} is not there.",
  "error.startsAfterEnd": "The clip starts after the end of {file}.",
  "error.badRowTime": "{table}, row {row} has the time “{time}”: give seconds, such as 12.5.",
  "error.rowWithoutFile": "{table}, row {row} has no file.",
  "error.rowWithoutLabel": "{table}, row {row} has no label.",
  "error.tooManyUploads": "There are {count} uploads: finish or remove one first.",
  "error.tooMuchWork": "Other videos are being processed: try again in a moment.",
  "error.notStored": "{part} cannot be stored: {reason}",
  "error.noRoom": "There is no room for {file}: make room first.",
  "error.unreadableFile": "{file} cannot be read: check its permissions.",
  "error.failed": "The work has failed: {reason}",

  "part.annotations": "The annotations", "part.change": "The change", "part.chunk": "The upload",
  "part.items": "The clips", "part.model": "The model", "part.poses": "The poses",
  "part.project": "The project", "part.run": "The run", "part.take": "The take",
  "part.upload": "The upload",
  "order.pause": "paused", "order.resume": "resumed", "order.stop": "stopped",
  "order.more": "trained for longer",

  "note.notEvaluated": "The clips of a well ({well}) were not evaluated: {reason}",
  "note.notCalibrated": "It was stopped in iteration {iteration}: its confidence is not calibrated by "
    + "takes that are left out.",
  "note.takesRight": "{right} of {takes} takes were classified right by models that were trained "
    + "without them. Other people may be classified less well.",
  "note.noValidation": "There are no clips for validation: the model is that of the last iteration, "
    + "and how well it classifies other videos is not known.",
};
