// @ts-check
/** Every text of Studio. */

import { number } from "../shared/format.js";
import { translate } from "../shared/language.js";
import { messages } from "../shared/messages.js";
import { wording } from "../shared/wording.js";

export const texts = {
  ...messages,
  studio: "Kinema Studio", title: "{page} · Kinema Studio", live: "Live", nav: "Steps",
  "leave.title": "Leave the page?", "leave.stay": "Stay", "leave.go": "Leave",
  skip: "Skip to the content", problem: "This page cannot be shown", close: "Close",
  undo: "Undo (Z)", undone: "Undone: {text}", rename: "Rename", duplicate: "Duplicate",
  delete: "Delete", more: "+{n} more", cancel: "Cancel", save: "Save", none: "none",
  "page.data": "Data", "page.montage": "Montage", "page.record": "Record",
  "page.runs": "Training", "page.evaluation": "Evaluation", "page.preview": "Preview",
  "page.output": "Output",
  "time.seconds": "{n} s", "time.minutes": "{m} min {s} s", "time.hours": "{h} h {m} min",
  "state.idle": "Idle", "state.waiting": "Waiting", "state.extracting": "Extracting poses",
  "state.training": "Training", "state.evaluating": "Evaluating", "state.paused": "Paused",
  "state.done": "Done", "state.stopped": "Stopped", "state.failed": "Failed",

  projects: "Projects", "projects.new": "New project", "projects.name": "Name",
  "projects.create": "Create",
  "projects.lead": "A project has labelled clips and the models trained on them.",
  "projects.none": "Teach Kinema your own actions:",
  "projects.step.create": "Create a project.",
  "projects.step.clips": "Add a folder of clips for each action, or record yourself with the camera.",
  "projects.step.train": "Press Start training: it takes minutes.",
  "projects.step.preview": "See in Preview or Live what the model recognises.",
  "projects.size": "{items} {items:clip|clips}, {time} · {runs} {runs:run|runs} · {date}",
  "projects.renamed": "Renamed to “{name}”.", "projects.copy": "{name} copy",
  "projects.deleted": "“{name}” deleted.", "projects.removed": "Deleted projects ({n})",
  "projects.restore": "Restore {name}",

  "data.lead": "Drop clips of each action below: one folder per action, or choose a label.",
  "data.lead.empty": "Drop a folder with a folder of clips per action on Training, then press Start training. "
    + "No clips at hand? Record yourself on the Record page.",
  "data.plan": "The next training",
  "data.train": "Start training", "data.estimate.none": "Add clips to see how long training takes.",
  "data.estimate.extracted": "The poses are there; on this machine, training takes about {training}.",
  "data.estimate": "On this machine: extraction of poses about {extraction}, training about "
    + "{training}.",
  "data.leftOut": "{n} {n:clip is|clips are} left out.",
  extraction: "Extraction of poses", "extraction.start": "Extract now",
  "extraction.running": "Extracting poses: {percent}, {time} left · {file}",
  "extraction.needed": "New clips have no poses yet. Training extracts them; this takes about "
    + "{time}.",
  unlabelled: "No label", saved: "Saved", yes: "yes", no: "no",

  "well.training": "Training", "well.validation": "Validation", "well.testing": "Testing",
  "well.leftOut": "Left out", "well.automatic": "Taken from the training clips",
  "well.size": "{n} {n:clip|clips}, {time}, {classes} {classes:class|classes}",
  "well.class": "{n} {n:clip|clips}, {time}",
  "well.training.empty": "Drop clips here. At least two classes are needed, with three or more "
    + "clips each.",
  "well.validation.empty": "Some training clips are held out to choose the best iteration. Drop clips "
    + "here to use them instead.",
  "well.testing.empty": "Drop clips of other people here, to measure what the model has not seen.",
  "well.example.folder": "my clips", "well.example.around": "drop this one, or those in it",
  "well.example.first": "squats", "well.example.second": "jumping jacks",
  "well.files": "Files", "well.folder": "Folder", "well.import": "From the server",
  "severity.error": "Error:", "severity.warning": "Warning:",
  "findings.more": "{n} more {n:kind|kinds} of findings",
  "finding.missingFile": "{n} {n:file is|files are} missing.",
  "finding.unreadableFile": "{n} {n:file|files} cannot be read.",
  "finding.badAnnotation": "{n} {n:row has|rows have} no file, label or times.",
  "finding.badTimes": "{n} {n:segment has|segments have} impossible times.",
  "finding.mixedJoints": "{n} {n:file mixes|files mix} bodies and hands.",
  "finding.oneClass": "There is only one class.",
  "finding.leak": "{n} {n:video is|videos are} in two sets.",
  "finding.nobody": "{n} {n:clip shows|clips show} hardly any person.",
  "finding.duplicate": "{n} {n:video is|videos are} there twice.",
  "finding.unmatchedClass": "{n} {n:class is|classes are} missing from training.",
  "finding.likeLabels": "{n} {n:pair|pairs} of labels differ in spelling only.",
  "finding.smallClass": "{n} {n:class has|classes have} few clips.",
  "finding.noNegativeClass": "No class stands for everything else.",
  "finding.imbalance": "{n} {n:class has|classes have} far less footage than others.",
  "finding.overlap": "{n} {n:segment overlaps|segments overlap} another.",
  "finding.severalPeople": "{n} {n:clip shows|clips show} several people of similar size.",
  "finding.cutOff": "{n} {n:clip shows|clips show} parts of the body only.",
  "finding.movingCamera": "{n} {n:clip has|clips have} a moving camera.",
  "finding.shortClip": "{n} {n:clip is|clips are} shorter than a window.",
  "finding.lowFrameRate": "{n} {n:video has|videos have} a lower frame rate than the model.",
  "finding.pastEnd": "{n} {n:segment ends|segments end} after the video.",
  "finding.ignoredFile": "{n} {n:file is|files are} left out.",

  uploads: "Uploads", "upload.nothing": "There are no videos or pose files in it.",
  "upload.label.title": "Label of the clips", "upload.label": "Label of {n} {n:clip|clips} without a folder",
  "upload.folders.title": "Labels or people?",
  "upload.folders": "{n:Is|Are} {inside} {n:a label|labels}, or {n:somebody who shows|people who show} "
    + "{name}?",
  "upload.folders.people": "People who show {name}",
  "upload.folders.labels": "Labels: {inside}",
  "upload.folders.isLabel": "label", "upload.folders.isPerson": "person",
  "upload.folders.isNothing": "only holds the others",
  "upload.sets": "The folders name sets; the clips go there: {sets}.",
  "upload.refused": "This is not a video or a pose file.",
  "upload.refused.more": "{n} more {n:file|files}",
  "upload.dismiss": "Dismiss", "upload.retry": "Try again",
  "upload.start": "Upload", "upload.again": "Choose the file again",
  "upload.other": "This is not “{name}”, which was being uploaded.",
  "upload.pause": "Pause", "upload.continue": "Continue", "upload.waiting": "waiting",
  "upload.running": "{percent}", "upload.paused": "paused at {percent}",
  "upload.missing": "interrupted at {percent}", "upload.failed": "failed", "upload.done": "done",
  "import.title": "Add from the server: {well}",
  "import.lead": "Videos stay where they are. Add a folder of any layout (folders per label, labels in "
    + "file names, an annotation file), or single files.",
  "import.list": "Files", "import.label": "Label of the clips",
  "import.label.about": "Without a label, mark their actions on the Montage page.",
  "import.media": "Added.",
  "import.chosen": "Add {n} {n:file|files}",
  "import.keys": "Arrows choose, Shift extends, Space or a press adds, Ctrl A selects all, Enter adds "
    + "them to the project.",
  "kind.video": "Video", "kind.poses": "Poses", "kind.annotations": "Annotation file",
  "import.add": "Add this folder", "import.files": "Add this folder ({n} {n:file|files})", "import.up": "Folder above",
  "import.done": "{n} {n:clip|clips} added.",

  clips: "Clips", "clips.player": "Clip", "clips.choose": "Choose a clip to play it.",
  "clips.well": "Set", "clips.class": "Class",
  "clips.everyWell": "All sets", "clips.everyClass": "All classes",
  "clips.whole": "whole file", "clips.end": "end", "clips.none": "No clips.",
  "clips.more": "Show more ({n})", "clips.search": "Search file, label or person", "clips.total": "{n} {n:clip|clips}",
  "clips.selected": "{n} of {total} selected",
  "clips.keys": "Arrows choose, Shift extends, Space adds, Ctrl A selects all, Enter plays, "
    + "Delete removes, Z undoes.",
  "clips.newLabel": "New label", "clips.relabel": "Relabel", "clips.move": "Move to …",
  "clips.leaveOut": "Leave out", "clips.remove": "Remove",
  "clips.relabelled": "{n} {n:clip is|clips are} now “{to}”.",
  "clips.setPerson": "Set person",
  "clips.person": "{n} {n:clip shows|clips show} “{to}”.",
  "clips.noPerson": "{n} {n:clip has|clips have} no person.",
  "clips.moved": "{n} {n:clip|clips} moved: {to}.",
  "clips.removed": "{n} {n:clip|clips} removed; the {n:file stays|files stay}.",

  "player.play": "Play", "player.pause": "Pause", "player.position": "Position",
  "player.skeleton": "Skeleton", "player.on": "On", "player.off": "Off", "player.alone": "Alone",
  "player.missing": "The poses have not been extracted yet.",
  "player.extracting": "Finding the skeleton …",

  parameters: "Parameters", "parameters.reset": "Defaults",
  "parameters.was": "Parameters reset to their defaults.",
  "parameter.meaning": "The model sees windows of {frames} frames: {time} at {rate} frames per "
    + "second.",
  "parameter.duration": "Action duration (s)",
  "parameter.duration.about": "Length of a window. Cover one repetition of the slowest action.",
  "parameter.frameRate": "Frame rate (fps)",
  "parameter.frameRate.about": "Videos are resampled to it. Fast actions need 30; 15 halves the work.",
  "parameter.iterations": "Iterations",
  "parameter.iterations.about": "Passes through all windows. The best one on the validation clips "
    + "is kept.",
  "parameter.from": "Start from", "parameter.from.none": "Nothing (many clips)",
  "parameter.from.about": "With three to ten takes of each class, start from Exercise, which knows "
    + "people in motion: six iterations then suffice.",
  "parameter.other": "Add “other”",
  "parameter.other.about": "With a model to start from: synthetic people doing something else, so "
    + "that not everything is an action.",
  "parameter.augmentation": "Augmentation",
  "parameter.augmentation.about": "Varies the windows in each pass, so that fewer clips suffice.",
  "parameter.augmentation.default": "View, body, tempo and mirroring",
  "parameter.augmentation.flip": "Mirroring only", "parameter.augmentation.none": "None",
  "parameter.validation": "Validation",
  "parameter.validation.about": "Share of the training clips held out where there are no clips for "
    + "validation.",
  "parameter.validation.auto": "As many clips as suit their number",
  "parameter.batchSize.auto": "as suits the network",
  "parameter.share": "{n}% of the clips",
  "parameter.algorithm": "Network",
  "parameter.algorithm.about": "Temporal convolutions are small and better with few clips; with "
    + "postures for many actions and clips. A model to start from has its own.",
  "parameter.tcn": "Temporal convolutions", "parameter.posture": "Temporal, with postures",
  "parameter.stgcn": "Graph convolutions (Create ML)",
  "parameter.batchSize": "Batch size",
  "parameter.batchSize.about": "Windows in one step. Empty: 64, 32 for graph convolutions, and 128 with "
    + "a model to start from.",
  "parameter.seed": "Seed",
  "parameter.seed.about": "Equal seeds give equal models. Compare seeds to see what is chance.",

  "runs.start": "New run", "runs.one": "Run", "runs.all": "Runs", "runs.state": "State",
  "runs.lead": "Training continues when this page is closed or the server is restarted.",
  "runs.none": "No runs yet. Add clips on the Data page, then start one.",
  "runs.best": "best iteration {n} of {total}", "runs.pause": "Pause", "runs.resume": "Resume",
  "runs.stop": "Stop", "runs.snapshot": "Snapshot",
  "runs.snapshot.done": "Saved the model of iteration {n}.",
  snapshots: "Snapshots", "snapshots.one": "Iteration {n}",
  "snapshots.best": "Best iteration", "snapshots.model": "Model",
  "snapshots.evaluating": "Evaluating the snapshot: {percent}",
  "snapshots.delete": "Delete the snapshot of iteration {n}?",
  "snapshots.delete.about": "Its model and evaluation are deleted permanently. The run stays.",
  "runs.more": "Train more", "runs.more.iterations": "Iterations to add",
  "runs.delete": "Delete “{name}”?",
  "runs.delete.about": "Its model and reports are deleted permanently. The clips stay.",
  "runs.leaveOneOut": "On takes it has not seen, it is right {accuracy} of the time, with "
    + "95% confidence between {lower} and {upper}.",
  "runs.confused": "It confuses “{a}” and “{b}” most: more takes of these help.",
  "runs.left": "{time} left", "runs.extraction": "1. Extraction of poses",
  "runs.training": "2. Training", "runs.iteration": "iteration {n} of {total}",
  "runs.accuracyOfWindows": "Windows that are right, while training",
  "runs.frames": "Accuracy: the share of frames that are right, as in Evaluation and Output.",
  "runs.classesDiffer": "The runs were trained on different classes: their accuracies cannot be compared "
    + "directly.", "runs.loss": "Loss", "runs.iterations": "Iteration",
  "runs.different": "The columns on the right are the parameters in which runs differ.",
  "runs.same": "All runs have the same parameters.",
  "run.none": "This page needs a model. Train one first.",

  "evaluation.well": "Clips", "evaluation.level": "Unit", "evaluation.windows": "Windows",
  "evaluation.frames": "Frames", "evaluation.videos": "Videos",
  "evaluation.compare": "Compare with", "evaluation.compare.none": "nothing",
  "evaluation.accuracy": "Accuracy", "evaluation.f1": "F1, mean of classes",
  "evaluation.f1.one": "F1", "evaluation.of": "of {level}",
  "evaluation.f1.without": "without {labels}: no clips here",
  "evaluation.f1.unlike": "not of the same classes",
  "evaluation.differ": "The runs were evaluated on different clips: {mine} {mine:clip is|clips are} only in this "
    + "run’s data, {theirs} only in the other’s. Their figures cannot be compared directly.",
  "evaluation.level.windows": "windows", "evaluation.level.frames": "frames",
  "evaluation.level.videos": "videos", "evaluation.class": "Class",
  "evaluation.precision": "Precision", "evaluation.recall": "Recall",
  "evaluation.support": "Number", "evaluation.points": "({n})",
  "evaluation.matrix": "Confusion matrix",
  "evaluation.matrix.about": "Choose a cell to see its clips from that moment. Arrow keys move.",
  "evaluation.classes": "Classes", "evaluation.viewer": "Clips of a cell",
  "evaluation.cell": "{label}, predicted as {predicted}",
  "evaluation.none": "No clips in this cell.",
  "evaluation.count.videos": "{n} {n:video|videos}",
  "evaluation.count.windows": "{n} {n:window|windows}",
  "evaluation.count.frames": "{n} {n:frame|frames}",
  "evaluation.mistakes": "Worst mistakes", "evaluation.mistakes.none": "No mistakes.",
  "evaluation.calibration": "Calibration",
  "evaluation.calibration.title": "Accuracy by confidence",
  "evaluation.calibration.error": "Calibration error", "evaluation.confidence": "Confidence",
  "evaluation.calibration.none": "Too few windows for this figure.",
  "evaluation.calibration.about": "On the dashed line, confidence is what it says: of windows with "
    + "80%, 80% are right. Below it, the model is too confident.",
  "matrix.caption": "Rows: what it is. Columns: what was predicted.",
  "matrix.cell": "{label} predicted as {predicted}: {n}, {share}",

  "readOnly": "Another server has this project open: it can be changed there only, until that one ends.",

  "conflict.title": "Changed elsewhere",
  "conflict.about": "The segments of this video were changed in another window or by another program. "
    + "Choose which to keep.",
  "conflict.mine": "Yours", "conflict.theirs": "The other ones", "conflict.keep": "Keep yours",
  "conflict.take": "Take the other ones", "conflict.row": "{label}, {start} – {end}",
  "conflict.end": "end",

  "montage.none": "Add a video on the Data page first.", "montage.medium": "{name} ({n})",
  "montage.segments": "Segments", "montage.suggest": "Suggestions (S)",
  "montage.suggestion": "suggestion", "montage.problems": "Gaps and overlaps",
  "montage.gap": "gap", "montage.gapRow": "Gap: {start} – {end}", "montage.overlap": "overlap", "montage.labels": "Labels",
  "montage.addLabel": "Add", "montage.unsaved": "Not saved",
  "montage.unsavedLabel": "Not saved: label missing",
  "montage.leave": "{n} {n:segment has|segments have} no label and will be lost.",
  "montage.empty": "Press I at the start of an action and O at its end, then the number of its "
    + "label.",
  "montage.in": "Start at {time}. Press O at the end.",
  "montage.noIn": "Press I at the start of the action first.",
  "montage.added": "{label}, {start} to {end}. A number changes the label.",
  "montage.unlabelled": "{start} to {end}. Press the number of its label, or N for a new one.",
  "montage.labelled": "Label: {label}", "montage.deleted": "Segment deleted. Z undoes.",
  "montage.rejected": "Suggestion rejected.", "montage.undone": "Undone.",
  "montage.redone": "Redone.", "montage.nothing": "There is nothing more.",
  "montage.model": "Suggested by", "montage.repetitionsOnly": "Repetitions only",
  "montage.suggesting": "Looking for repetitions and known actions: {percent}",
  "montage.suggested": "{n} {n:suggestion|suggestions}. Enter accepts, a number gives another "
    + "label, Backspace rejects.",
  "montage.noLoop": "Choose a segment first.",
  "montage.acceptedBare": "Accepted without a label, {n} left. Press the number of its label.",
  "montage.accepted": "{label} accepted, {n} left.",
  "montage.exchange": "Annotation files",
  "montage.exchange.about": "CSV and JSON tables, and exports of Label Studio and LabelU. Unknown "
    + "columns are kept.",
  "montage.import": "Import", "montage.export": "Export CSV",
  tools: "Commands", "tools.in": "In", "tools.out": "Out", "tools.accept": "Accept",
  "tools.reject": "Reject", "tools.delete": "Delete", "tools.undo": "Undo",
  "tools.loop": "Loop", "tools.speed": "Speed", "tools.slower": "Slower", "tools.faster": "Faster",
  keys: "Keys", "keys.use": "Keyboard shortcuts", "keys.in": "Start of a segment",
  "keys.out": "End of it", "keys.label": "Label", "keys.newLabel": "New label",
  "keys.play": "Play or pause", "keys.loop": "Play what is chosen again and again",
  "keys.frame": "One frame", "keys.second": "One second",
  "keys.move": "Previous or next segment or suggestion",
  "keys.speed": "Slower, normal, faster", "keys.trim": "Move the start or end here",
  "keys.delete": "Delete a segment, reject a suggestion", "keys.undo": "Undo",
  "keys.redo": "Redo", "keys.suggest": "Suggestions", "keys.accept": "Accept a suggestion",
  "keys.save": "Save now", "keys.help": "This help",

  "record.lead": "Three takes of each action are enough to start. Show the whole body, repeat the "
    + "action a few times in each take.",
  "record.camera": "Camera", "record.synthetic": "A synthetic person",
  "record.open": "Open the camera", "record.label": "Action",
  "record.label.about": "A label, or a new one: “golf swing”.",
  "record.well": "Use for",
  "record.person": "Person", "record.person.about": "Who moves: takes of one person are kept "
    + "together.",
  "record.source": "From", "record.camera.own": "This device’s camera",
  "record.seconds": "Seconds of a take", "record.wait": "Count-down (s)",
  "record.number": "Takes in a row", "record.keep": "Keep the video",
  "record.keep.about": "Off: only the poses are kept, and the video is deleted once they are found.",
  "record.between": "Record between takes as “other”",
  "record.between.about": "The seconds of the count-down show what is not the action.",
  "record.start": "Record", "record.stop": "Stop", "record.go": "Go", "record.over": "Done",
  "record.done": "All takes are recorded.",
  "record.lost": "The camera stopped, so this take is not kept. Record it again.",
  "record.ready": "Get ready: {label}, take {n} of {total}.",
  "record.caption": "{label} · take {n} of {total}",
  "record.now": "Recording: {label}, take {n} of {total}.",
  "record.few": "Few takes suffice",
  "record.few.about": "Start from the built-in model, which knows people in motion, and add “other” "
    + "from synthetic people, so that nobody has to record doing nothing.",
  "record.few.use": "Train from Exercise, with “other”",
  "record.few.on": "Training starts from {model}, with “other” from synthetic people.",
  "record.from": "Training starts from {model}.",
  takes: "Takes", "takes.player": "Take", "takes.none": "No takes yet.",
  "takes.working": "Finding repetitions {percent}",
  "takes.repetitions": "{n} {n:part|parts} with repetitions",
  "takes.whole": "No repetitions found: the whole take is used.",
  "takes.start": "Start (s)", "takes.end": "End (s)",
  "takes.discard": "Throw away", "takes.discarded": "Take thrown away.",
  "takes.trimmed": "Take trimmed.", "takes.well": "Use for", "takes.moved": "Take moved: {to}.",

  "timeline.zoom": "Zoom of the timeline", "timeline.in": "Zoom in", "timeline.out": "Zoom out",
  "preview.medium": "Video", "preview.file": "Another video", "preview.camera": "Use the camera",
  "preview.none": "Drop a video here, use the camera, or choose a file.",
  "preview.camera.stop": "Stop the camera", "preview.camera.opening": "Opening the camera …",
  "preview.camera.waiting": "The server is busy: place {n} in line.",
  "preview.camera.on": "The model sees the camera. The last minute is below.",
  "preview.camera.live": "Open in Live",
  "preview.working": "Predicting: {percent}",
  "preview.done": "{n} {n:window|windows}, {reps} {reps:repetition|repetitions}",
  "preview.low": "Low confidence", "preview.starting": "Starting up", "preview.nobody": "No person",
  "preview.count": "{n} {n:repetition|repetitions}", "preview.best": "Prediction",
  "preview.second": "Second prediction", "preview.lower": "Lower predictions", "preview.repetitions": "Repetitions",
  "preview.table": "All windows", "preview.start": "Start",

  "output.size": "Size", "output.window": "Window", "output.frames": "Frames",
  "output.frames.value": "{n} at {rate} fps", "output.classes": "Classes",
  "output.testing": "Accuracy in testing, of frames",
  "output.validation": "Accuracy in validation, of frames",
  "output.get": "Use the model", "output.use": "Use in Live",
  "output.mlmodel": "Core ML (.mlmodel)", "output.onnx": "ONNX", "output.layers": "Layers",
  "output.metadata": "Metadata", "output.author": "Author", "output.license": "Licence",
  "output.version": "Version", "output.description": "Description",
  "output.metadata.about": "Saved at once, and written into the files that you download.",
  "output.snippets": "Use it in a program", "output.shell": "Command line",
  "output.copy": "Copy", "output.copied": "{name} snippet copied.",
  "output.selected": "The snippet is selected: press Ctrl C.",
};

/** @typedef {keyof typeof texts} Key */

await translate(texts);

export const { t, reported, messageOf } = wording(texts);

/**
 * A duration in words: "7.5 s", "2 min 5 s".
 *
 * @param {number} seconds
 */
export function time(seconds) {
  if (seconds < 60) {
    return t("time.seconds", { n: seconds < 9.95 ? Math.round(seconds * 10) / 10
      : Math.round(seconds) });
  }
  const whole = Math.round(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? t("time.hours", { h, m }) : t("time.minutes", { m, s });
}

/**
 * A moment in a video: "1:07.3".
 *
 * @param {number} seconds
 */
export function moment(seconds) {
  const tenths = Math.max(0, Math.round(seconds * 10));
  const rest = String(Math.floor(tenths / 10) % 60).padStart(2, "0");
  return `${Math.floor(tenths / 600)}:${rest}.${tenths % 10}`;
}

/**
 * A size: "403 KB", "2.1 MB".
 *
 * @param {number} bytes
 */
export function size(bytes) {
  if (bytes < 1e6) return `${number(Math.max(1, bytes / 1e3), 0)} KB`;
  return bytes < 1e9 ? `${number(bytes / 1e6, 1)} MB` : `${number(bytes / 1e9, 2)} GB`;
}
