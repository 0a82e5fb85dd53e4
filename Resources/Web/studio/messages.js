// @ts-check
/**
 * The texts of what Studio, the data check and trainings report, by the names that the server gives them
 * (docs/studio-api.md); the others are in ../messages.js. A value may have a text as well: `{state}` is
 * that of `state.paused` where there is one.
 */

export const messages = {
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
  "error.badData": "{reason}", "error.noLayout": "{reason}", "error.badParameters": "{reason}",
  "error.missingPart": "{reason}",
  "error.unusableFile": "{reason}",
  "error.noColumns": "{file} has no columns file_name and label: name them in its first row.",
  "error.badProjectFile": "{file} is not a project file: {fault}",
  "error.otherVersion": "{file} is a {format} of version {version}: a newer Kinema may open it.",
  "error.badRun": "{file} cannot be read: {fault}",
  "error.nobodyVisible": "No person is visible in the take: record it with the whole body in the "
    + "frame.",
  "error.startsAfterEnd": "The clip starts after the end of {file}.",
  "error.badRowTime": "{table}, row {row} has the time “{time}”: give seconds, such as 12.5.",
  "error.rowWithoutFile": "{table}, row {row} has no file.",
  "error.rowWithoutLabel": "{table}, row {row} has no label.",
  "error.tooManyUploads": "There are {count} uploads: finish or remove one first.",
  "error.tooMuchWork": "Other videos are being processed: try again in a moment.",
  "error.notStored": "{part} cannot be stored: {reason}",
  "error.noRoom": "There is no room for {file}: make room first.",
  "error.failed": "The work has failed: {reason}",

  // Parameters.
  "error.badWindow": "A window has 2 to 2000 frames, not {value}: change action duration or frame rate.",
  "error.badFrameRate": "The frame rate is 1 to 240 frames per second, not {value}.",
  "error.badIterations": "The number of iterations is 1 to 100000, not {value}.",
  "error.badBatchSize": "The batch size is 1 to 4096, not {value}.",
  "error.badValidation": "The share for validation is above 0 and below 1, not {value}.",

  // Trainings and evaluations.
  "error.noExamples": "There are no clips to learn from.",
  "error.oneClass": "All clips are labelled “{label}”: give at least two labels, such as one for "
    + "everything else.",
  "error.noWindow": "No clip of “{label}” has a person in enough frames of a window of {seconds} s: add "
    + "longer clips, or shorten the window.",
  "error.unknownLabel": "{file} is labelled “{label}”, which is not a label of the training clips: correct "
    + "the label, or add training clips with it.",
  "error.unknownLabels": "The model lacks labels of the clips: {labels}.",
  "error.trainingFailed": "Training cannot continue: {reason}",
  "error.diverged": "The training diverged in iteration {iteration}: choose another seed or network.",
  "error.badNetwork": "The network cannot be trained with these parameters: {reason}",
  "error.badStart": "A training cannot start from this model ({reason}): take Exercise, or one of Kinema "
    + "with temporal convolutions, with postures or without, for the same joints.",
  "error.notSyntheticLabels": "Classes cannot be added to this model: take Exercise.",
  "error.noSyntheticHands": "Synthetic people show no hands: turn “Add “other”” off.",
  "error.badCheckpoint": "The state of the training cannot be used: start a new run.",
  "error.otherTraining": "Another training runs in {folder}: wait for it.",
  "error.nothingToEvaluate": "No clip has a frame to evaluate.",

  // Annotation files and folders.
  "error.emptyTable": "{file} is empty: its first row must name the columns, such as "
    + "file_name,label,start_time,end_time.",
  "error.largeTable": "{file} has too many values: split it, or check that each row has the same columns.",
  "error.missingColumn": "{file} has no column “{column}”: rename a column.",
  "error.longRow": "{place} has {count} values for {columns} columns: put quotation marks round a value "
    + "that holds a separator.",
  "error.invalidJSON": "{file} is not valid JSON: check that it is complete, or export it again.",
  "error.notJSON": "{file} is not JSON: export the labels as JSON.",
  "error.notRepetitionTable": "{file} is JSON, not a CSV with the columns type,name,count,L1,L2,….",
  "error.badEntry": "{file}, entry {entry} is not an object with file_name and label.",
  "error.notAnnotationList": "{file} is JSON, but not a list of annotations with file_name, label, "
    + "start_time and end_time.",
  "error.noAnnotations": "{file} has no annotation: it needs a row for each segment of a video.",
  "error.severalTables": "The folder {folder} has several annotation files ({names}): add one of them "
    + "alone.",
  "error.noVideos": "The folder {folder} has no videos: it needs a folder for each label "
    + "(squats/anna.mp4), files named after labels (squats.3.mov), or an annotation file (CSV or JSON).",
  "error.noLabelFolders": "The folder {folder} has no videos in folders of labels, such as "
    + "squats/anna.mp4.",
  "error.noLabelledFiles": "The folder {folder} has no videos whose names start with a label, such as "
    + "squats.3.mov.",
  "error.namesNoFile": "{place} names no file: fill it in or remove it.",
  "error.namesNoLabel": "{place} has no label for {file}: fill it in or remove it.",
  "error.controlCharacter": "{place} has a label with a line break or another control character: remove "
    + "that.",
  "error.badTime": "{place} has the time “{time}”: give seconds, such as 12.5, or 0:12.5.",
  "error.notFrameNumber": "{place} has a value among its repetitions that is not a frame number.",
  "error.resultNotJSON": "{place} has a result that is not JSON.",
  "error.segmentWithoutTimes": "{place} has a segment without start and end.",
  "error.entryWithoutLabels": "{place} has no labels for {file}, which is ignored: label it if it matters.",
  "error.notInFolder": "{place} names {file}, which is not in {folder}: put it there or correct the name.",
  "error.startsBeforeVideo": "{place} ({file}) starts at {start} s, before the video: times count from its "
    + "start, in seconds.",
  "error.startsBeforeFrame": "{place} ({file}) starts at frame {start}, before the video: the first frame "
    + "is number 0.",
  "error.endsBeforeStart": "{place} ({file}) ends at {end} s, before it starts at {start} s: correct the "
    + "times.",
  "error.endsBeforeFrame": "{place} ({file}) ends at frame {end}, before it starts at frame {start}: "
    + "correct them.",
  "error.endsBeforeVideo": "{place} ({file}) ends at {end} s, before the video starts: correct the time.",
  "error.emptySegment": "{place} ({file}) is empty: it starts and ends at {start} s.",
  "error.ignoredFolder": "The folder {folder} has no video and is left out.",
  "error.besideFolders": "{file} is beside the folders of labels and is left out: move it into the folder "
    + "of its label.",
  "error.ignoredFiles": "Neither videos nor pose files, and left out: {file} and {more} more in {folder}.",

  // What the data check finds.
  "error.noNegativeClass": "No class stands for “none of the actions”, so the model will report an action "
    + "for everything: add clips of people who stand, walk and do other things, labelled “other”.",
  "error.smallClass": "“{label}” has {count} {count:video|videos} to learn from: give at least {least}, of "
    + "different people; Apple recommends 50.",
  "error.imbalance": "“{most}” has {seconds} s of footage, “{least}” only {leastSeconds} s: add to one or "
    + "remove from the other.",
  "error.likeLabels": "{labels} are different classes: use one name if they are the same.",
  "error.unmatchedClass": "“{label}” is among the {set} but not the training clips, so that it will never "
    + "be recognised: check the label.",
  "error.leak": "{file} ({set}) is the same video as {other} ({otherSet}): remove one of them, or the model "
    + "is evaluated on its training clips.",
  "error.duplicate": "{file} is the same video as {other}: remove one of them.",
  "error.doubleLabel": "{file}, labelled “{label}”, is the same video as {other}, labelled “{otherLabel}”: "
    + "the model would learn both for it; remove the wrong one.",
  "error.mixedJoints": "{file} and {other} have other joints: use poses of bodies only, or of hands only.",
  "error.overlap": "{place}, “{label}”, overlaps with {other}, “{otherLabel}”: correct the times.",
  "error.startsAfterVideo": "{place} starts at {start} s, after the end of the video at {length} s: correct "
    + "the times, or the name of the file.",
  "error.endsAfterVideo": "{place} ends at {end} s, after the end of the video at {length} s, where it is "
    + "cut off: check the times.",
  "error.noFrame": "{place} has no frame of the video, and is left out.",
  "error.shortClip": "{file} is shorter ({seconds} s) than the model's window of {window} s.",
  "error.shortSegments": "{file} has {count} of {total} segments shorter than the model's window of "
    + "{window} s; the first starts at {start} s.",
  "error.nobodyInClip": "{file} has a person in hardly any frame: remove it, or record it again.",
  "error.nobodyInSegments": "{file} has no person in {count} of {total} segments; the first starts at "
    + "{start} s.",
  "error.cutOff": "{file} has the body partly outside the frame in {share} of the frames: film from further "
    + "away.",
  "error.severalPeople": "{place} shows several people of like size in {share} of its frames, of whom one is "
    + "taken: cut the video so that one person is in it, if it is the wrong one.",
  "error.lowFrameRate": "{file} has {rate} frames a second, fewer than the {wanted} of the model: record at a "
    + "higher rate, or train at a lower one.",
  "error.movingCamera": "{file} was recorded with a moving camera ({percent} % of the width a second): use a "
    + "tripod.",
  "set.training": "training clips", "set.validation": "validation clips", "set.test": "testing clips",
  "otherSet.training": "training clips", "otherSet.validation": "validation clips",
  "otherSet.test": "testing clips",

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
