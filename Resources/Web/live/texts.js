// @ts-check
/** Every text of the live app's page. */

import { words } from "../shared/format.js";
import { labelText, translate } from "../shared/language.js";
import { messages } from "../shared/messages.js";
import { wording } from "../shared/wording.js";

export const texts = {
  ...messages,
  description: "See what you do, how often and for how long.",
  close: "Close", cancel: "Cancel", delete: "Delete", name: "Name", none: "–", action: "Action",
  repetitions: "{n} {n:repetition|repetitions}",
  "spoken.seconds": "{s} {s:second|seconds}",
  "spoken.minutes": "{m} {m:minute|minutes} {s} {s:second|seconds}",

  "start.lead": "Stand so that your whole body is visible, and start moving.",
  "start.camera": "Start the camera", "start.synthetic": "Try a synthetic person",
  "start.watch": "Watch the named sources", "start.others": "Or use a source on the server",
  "start.privacy": "Pictures are processed on the computer that runs Kinema, {host}, and are not stored. "
    + "The history keeps actions, counts, times and form. While recording is on, a red {rec} is shown.",
  "start.here": "this one", "start.studio": "Teach it something", "start.settings": "Model and settings",

  "live.title": "Live picture", "live.stage": "Live picture with a wireframe on each person",
  "live.controls": "Controls", "live.source": "Source", "live.camera": "This device's camera", "live.synthetic": "A synthetic person",
  "live.rec": "REC", "live.recording.on": "Recording is on", "live.recording.off": "Recording is off",
  leave: "Back to the start",
  pause: "Pause", "pause.title": "Pause (space)",
  flip: "Other camera", "flip.title": "Other camera (K)",
  "flip.none": "There is no other camera on this device.",
  challenge: "Challenge", "challenge.title": "Challenge (C)",
  summary: "Summary", "summary.title": "Summary (S)", more: "More",
  history: "History", "history.title": "History (H)",
  mirror: "Mirror", "mirror.title": "Mirror (M)", sounds: "Sounds", "sounds.title": "Sounds (U)",
  cues: "Spoken cues", "cues.title": "Spoken cues (V)",
  "cues.on": "Cues are spoken.", "cues.off": "Cues are shown, not spoken.",
  space: "In space", "space.title": "In three dimensions (3)",
  details: "Details", "details.title": "Details (D)",
  "rate.low": "{n} of {all} frames a second: quick movements are missed.",
  performance: "Performance", "performance.title": "Performance (P)",
  full: "Full screen", "full.title": "Full screen (F)",
  settings: "Settings", "settings.title": "Settings (comma)", help: "Help", "help.title": "Help (?)",

  teach: "Teach", "teach.tool": "Teach this move (T)",
  "teach.about": "Do a move three times. Seconds later it is named and counted here.",
  "teach.name": "What is it called?", "teach.start": "Start", "teach.project": "My moves",
  "teach.title": "Teach: {name}", "teach.ready": "Get ready, all of you in view.", "teach.go": "Go!",
  "teach.now": "Do it {n} times.", "teach.of": "{n} of {total}", "teach.enough": "That is all",
  "teach.poses": "Finding the repetitions …", "teach.training": "Learning …",
  "teach.noTake": "Nothing was found in this take: all of you must be in view.",
  "teach.failed": "The training has failed.", "teach.none": "No take is left.",
  "teach.done": "Recognised now: {names}.", "teach.said": "{name} is recognised now.",
  "teach.oneTake": "From one take it is not known how well others are recognised: more takes, also of other "
    + "people, make it surer.",
  "teach.sure": "Of takes that were left out in turn, {share} were named rightly ({from} to {to}).",
  "teach.discard": "Throw away", "teach.again": "Another take", "teach.other": "Another move",
  "teach.studio": "Open in Studio",

  "panel.recognition": "Recognition", "panel.confidence": "Confidence", "panel.count": "Repetitions",
  "panel.unit": "{n:repetition|repetitions}", "panel.tempo": "{n} per minute",
  "panel.counting": "Counting", "panel.group": "of these: {labels}",
  "panel.doubt": "{group} in any case", "panel.asOf": "As of {time}",
  "panel.held": "held", "panel.rest": "rest", "activity.ready": "Ready",
  "activity.unnamed": "Which exercise?", "activity.rest": "Rest",
  "seen.nobody": "Nobody in view", "seen.noHand": "No hand in view",
  "posture.standing": "Standing", "posture.walking": "Walking", "posture.running": "Running",
  "posture.sitting": "Sitting", "posture.kneeling": "Kneeling", "posture.crouching": "Crouching",
  "posture.bending": "Bending", "posture.on_all_fours": "On all fours",
  "posture.lying_prone": "Lying on the front", "posture.lying_supine": "Lying on the back",
  "posture.lying_on_side": "Lying on the side", "posture.upside_down": "Upside down",
  "action.other": "Something else",
  "action.startingUp": "Starting Up", "action.noPerson": "No Person",
  "action.lowConfidence": "Low Confidence",
  "hint.moreThanOnePerson": "More than one person: tap the one to follow",
  "hint.stepBack": "Step back until your whole body is in view.",
  "hint.moveIntoView": "Move your {parts} into view.", "hint.parts": "{a} and your {b}",
  "hint.arms": "arms", "hint.legs": "legs", "part.head": "head", "part.leftArm": "left arm",
  "part.rightArm": "right arm", "part.leftLeg": "left leg", "part.rightLeg": "right leg",
  "person.follow": "Follow this person", "person.following": "Following person {person} – stop",
  "person.followed": "Following person {person}", "person.free": "No longer following a person",
  "person.limit": "{n} people at most are followed. Change it",

  "notice.lost": "Connection lost. Your results are kept.", "notice.retry": "Retry now",
  "notice.again": "Try again", "notice.retrying": "Retrying …", "notice.retryIn": "Retrying in {s}\u00a0s …",
  "notice.queued": "All places are taken. {n} before you: this page begins by itself.",
  "notice.next": "All places are taken. You are next: this page begins by itself.",
  "notice.renewed": "The previous session has ended and is in the history. This is a new session.",
  "notice.otherSource": "Another source",
  "notice.paused": "Paused. No pictures are processed.", "notice.resume": "Resume",
  "source.connecting": "Opening the source …",
  "source.stale": "The source sends no pictures at the moment.",
  "source.reconnecting": "The source is disconnected.", "source.ended": "The source has ended.",
  "late.server": "The computer that runs Kinema is slow: results are {s} s late.",
  "late.browser": "This browser is slow: results are {s} s late.",
  "late.network": "The connection is slow: results are {s} s late.",

  "performance.list.camera": "Camera", "performance.list.analysed": "Processed",
  "performance.list.latency": "Capture to overlay, median",
  "performance.list.slow": "Capture to overlay, 95%", "performance.list.server": "Server, median",
  "performance.list.dropped": "Dropped", "performance.list.encoding": "JPEG encoding",
  "performance.list.size": "JPEG size", "performance.list.sessions": "Sessions on the server",
  "performance.dropped": "{server} by server, {here} here",
  "performance.graph": "Latency of recent pictures",

  "replay.view": "The last repetition beside the best one", "replay.last": "Last", "replay.best": "Best",
  "setting.showsReplay": "Show the last repetition again on a cue",
  "demonstration.view": "How it is done",
  "form.card": "Form of the last repetition", "form.title": "Form: {action}",
  "form.turn": "turn a quarter to the left", "form.face": "face the camera", "form.range": "Range", "form.tempo": "Tempo",
  "form.symmetry": "Symmetry", "angle.knee": "knee", "angle.hip": "hip",
  "angle.shoulder": "shoulder", "angle.elbow": "elbow", "form.joint": "{joint} {bottom} to {top}",
  "form.times": "seconds down, hold, up", "form.sides": "left against right",
  "form.oneSided": "one side at a time",

  "set.title": "Sets", "set.number": "Set {set}", "set.result": "Set {set} · {text} · {result}", "set.at": "at {time}", "set.revised": "{n} × {text}",
  "set.unmeasured": "not measured", "set.place": "set {set} of {sets}", "set.weight": "{weight} kg",
  "set.reached": "{done} of {wanted}", "set.cue": "{n} × “{cue}”",

  "challenge.of": "Challenge of {n} {n:action|actions}", "challenge.ready": "Get ready",
  "challenge.next": "Next: {what}", "challenge.last": "Last action", "challenge.now": "Start now",
  "challenge.skip": "Skip", "challenge.skipRest": "Skip rest", "challenge.stop": "Stop",
  "challenge.place": "Action {n} of {count}", "challenge.resting": "Rest",
  "challenge.target": "of {target}", "challenge.times": "{n} ×",
  "challenge.state.waiting": "Start when you are ready", "challenge.state.running": "Keep going!",
  "challenge.state.paused": "Paused", "challenge.state.resting": "Or start when you are ready",
  "challenge.again": "New challenge", "challenge.allDone": "All done!",
  "challenge.done": "{done} of {count} done", "challenge.setOf": " {set} of {sets}",
  "challenge.in": " in {time}", "challenge.wellDone": "Well done!", "challenge.rest": "Rest.",
  "challenge.continue": "Continue: {what}",
  "challenge.missing": "Not in this model: left out when the challenge runs.",
  "challenge.leftOut": "Left out, not in this model: {names}.",
  "challenge.none": "A challenge needs a model with actions. Choose one in the settings.",
  "challenge.about": "The timer starts with the action and pauses while you do something else.",
  "challenge.add": "Add an action", "challenge.start": "Start challenge",
  "challenge.label": "Action {n}", "challenge.amount": "Target of action {n}",
  "challenge.unit": "Unit of action {n}", "challenge.up": "Move action {n} up",
  "challenge.down": "Move action {n} down", "challenge.remove": "Remove action {n}",
  "challenge.field": "{name}, action {n}", "challenge.sets": "Sets", "challenge.restField": "Rest, s",
  "challenge.weight": "Weight, kg",
  "unit.repetitions": "times", "unit.seconds": "seconds",
  routine: "Routine", "routine.placeholder": "Name, such as Monday", "routine.as": "Save as a routine",
  "routine.save": "Save", "routine.saved": "Saved as “{name}”.", "routine.deleted": "“{name}” is deleted.",
  "routine.none": "Not saved",

  "profile.title": "Who trains", "profile.everyone": "Everyone", "profile.nobody": "Without a profile",
  "profile.placeholder": "Name, such as Ada", "profile.add": "Add a profile",
  "profile.about": "Sessions, records and progress are kept for each profile. Choosing another one starts "
    + "a new session.",
  "profile.rename": "Rename {name}", "profile.newName": "Write the new name first.",
  "profile.remove": "Delete {name}",
  "profile.question": "Delete the profile of {name}? Its sessions stay in the history.",
  "profile.added": "{name} trains now.", "profile.renamed": "The profile is now named {name}.",
  "profile.deleted": "The profile of {name} is deleted.",
  "profile.history": "Whose sessions", "profile.session": "Who trained",
  "profile.empty": "No sessions of this profile yet.",

  "progress.title": "Progress", "progress.measure": "Measure", "progress.period": "Period",
  "measure.repetitions": "Repetitions", "measure.range": "Range", "measure.tempo": "Tempo",
  "period.day": "per day", "period.week": "per week", "progress.week": "Week of {day}",
  "progress.none": "none", "progress.nothing": "Nothing was measured of this action yet.",
  "progress.seconds": "{n} s", "progress.point": "{day}: {value}",
  "progress.pointTime": "{day}: {value}, {time}",
  "progress.chart.day": "{measure} per day: {values}",
  "progress.chart.week": "{measure} per week: {values}",
  "progress.record": "Record: {best} in one session, {day}. In all {total}. ",
  "progress.largest": "Largest range: {range} of the {joint} in a set, {day}.",

  "history.loading": "Loading …", "history.empty": "No sessions yet. Each session appears here.",
  "history.more": "Show more ({n})", "history.open": "In progress", "history.video": "Video",
  "history.all": "All sessions", "history.model": "model {model}", "history.countOnly": "count only",
  "history.recording": "Recording of this session", "history.rename": "Rename",
  "history.question": "Delete this session with {n} {n:action|actions} permanently?",

  "summary.new": "New session",
  "summary.about": "A new session starts with counts at zero. This one stays in the history.",
  "summary.empty": "No activity yet. Results appear here as you move.",
  "result.time": "Time", "result.between": "In between", "result.repetitions": "Repetitions", "result.total": "total",
  "result.active": "active", "result.all": "repetitions", "result.save": "Save as {format}",
  "result.stretch": "{start} to {end}: {text}", "result.counted": "{start} to {end}: {text}, {count}",

  model: "Model", "model.upload": "Upload a model (.mlmodel)", "model.delete": "Delete model",
  "model.builtIn": "{name} (built in)", "model.none": "None (count only)",
  "model.about": "{labels}. Window: {n} {n:frame|frames} at {rate} fps.",
  "model.without": "Repetitions of any movement are counted, without recognition.",
  "model.notModel": "“{name}” is not a .mlmodel file.",
  "model.large": "“{name}” is larger than the limit of {n} MB.", "model.uploading": "Uploading “{name}” …",
  "model.runs": "The model is “{name}”.",
  "model.ready": "“{name}” is ready.", "model.question": "Delete the model “{name}” from the server?",
  "model.deleted": "“{name}” was deleted.",

  "setting.recognition": "Recognition", "setting.isClassifying": "Recognise actions",
  "setting.isCounting": "Count repetitions",
  "setting.countsPairs": "Left and right count as one repetition",
  "setting.confidenceThreshold": "Minimum confidence", "setting.stride": "New prediction every",
  "setting.stride.one": "frame", "setting.stride.many": "{n} frames", "setting.advanced": "Advanced",
  "setting.maximumPersonCount": "Maximum number of people", "setting.own": "Model default",
  "setting.recording": "Recording", "setting.isRecording": "Record video of this session",
  "setting.isRecording.about": "Off at each visit. While it is on, a red REC is shown; the video is saved "
    + "in the history.",
  "setting.page": "This page", "setting.keys": "Keyboard shortcuts", "setting.reset": "Restore defaults",
  "setting.joints": "Joints to ignore",
  "setting.joints.about": "The model treats these joints as not found: legs behind a desk, for example.",
  "joints.head": "Head", "joints.trunk": "Trunk", "joints.rightArm": "Right arm",
  "joints.leftArm": "Left arm", "joints.rightLeg": "Right leg", "joints.leftLeg": "Left leg",
  "joint.nose": "nose", "joint.neck": "neck", "joint.rightEye": "right eye", "joint.leftEye": "left eye",
  "joint.rightEar": "right ear", "joint.leftEar": "left ear", "joint.rightHip": "right hip",
  "joint.leftHip": "left hip", "joint.rightShoulder": "right shoulder",
  "joint.leftShoulder": "left shoulder", "joint.rightElbow": "right elbow",
  "joint.leftElbow": "left elbow", "joint.rightWrist": "right wrist", "joint.leftWrist": "left wrist",
  "joint.rightKnee": "right knee", "joint.leftKnee": "left knee", "joint.rightAnkle": "right ankle",
  "joint.leftAnkle": "left ankle",

  "help.best": "For best results",
  "help.stable": "Place the camera on a stable surface, so that you are visible from head to feet.",
  "help.back": "Step back two or three metres. One person in the picture works best.",
  "help.several": "With several people, tap the person to follow. Tap again to stop following.",
  "help.keys": "Keyboard shortcuts", "help.space": "Space", "help.pause": "Pause or resume",
  "help.follow": "Follow the next person, or stop following", "help.mirror": "Mirror the picture",
  "help.flip": "Other camera, rear or front", "help.sounds": "Sounds on or off",
  "help.cues": "Spoken cues on or off", "help.details": "What each moment looks like to the model", "help.escape": "Esc", "help.close": "Close the open sheet",
  "help.off": "Shortcuts can be turned off in the settings.", "help.privacy": "Privacy",
  "help.pictures": "Pictures are sent to the computer that runs Kinema and nowhere else. It stores "
    + "actions, counts, times and form, but no pictures unless you turn on recording. While recording is "
    + "on, a red REC is shown at the top.",
  "help.version": "Kinema {version}",

  sources: "Sources", "sources.named": "Named sources", "sources.none": "There are no named sources.",
  "sources.enlarge": "Enlarge {name}", "sources.sound": "Sound for falls",
  "sources.press": "Press to turn on sound",
  "sources.unheard": "No events arrive: falls make no sound. Retrying …",
  "sources.people": "{n} {n:person|people}", "sources.nobody": "Nobody",
  "sources.alarm": "{source}, {time}: {what}",
  "tile.connecting": "Connecting …", "tile.live": "Live", "tile.stale": "No pictures",
  "tile.ended": "Ended", "tile.paused": "Paused by its schedule",
  "event.personEnters": "A person entered", "event.personLeaves": "A person left",
  "event.nobody": "Nobody in view for {time}", "event.nobodyIn": "Nobody in {zone} for {time}",
  "event.actionBegins": "{action} began",
  "event.actionLasts": "{action} for {time}", "event.actionEnds": "{action} ended after {time}",
  "event.postureBegins": "A person is {posture}", "event.postureLasts": "A person has been {posture} for {time}",
  "event.postureEnds": "A person was {posture} for {time}",
  "event.entersZone": "A person entered {zone}", "event.leavesZone": "A person left {zone} after {time}",
  "event.staysInZone": "A person has been in {zone} for {time}",
  "event.crossesLine.in": "A person crossed {line}, inward",
  "event.crossesLine.out": "A person crossed {line}, outward",
  "event.countReached": "{action}: {count} repetitions",
  "event.setFinished": "Set finished: {count} × {action}",
  "event.setRevised": "{from} turned out to be {action}", "event.fall": "A person fell",
  "event.lying": "A person has been lying for {time}", "event.sourceStale": "No pictures",
  "event.sourceBack": "Pictures again",
  "event.sourcePaused": "Watching paused", "event.sourceResumed": "Watching resumed",
  "cameras.find": "Find cameras",
  "cameras.lead": "Cameras in this server’s network that speak ONVIF. Many have it switched off until it is enabled, with a user of its own.",
  "cameras.user": "ONVIF user (optional)", "cameras.password": "Password", "cameras.search": "Search",
  "cameras.searching": "Searching …", "cameras.none": "No camera has answered.",
  "cameras.name": "Name of {address}", "cameras.add": "Add", "cameras.addOf": "Add {address}",
  "cameras.added": "{name} is in the watch file now.",
  "cameras.taken": "There is a source “{name}”: choose another name.",
  "watched.standing": "standing", "watched.sitting": "sitting", "watched.lying": "lying",
  "watched.fallen": "fallen", "watched.sleeping": "sleeping",
  "watch.seconds": "{n} s", "watch.minutes": "{n} min", "watch.hours": "{n} h",
  "watch.in": "{what} in {zones}", "watch.counted": "{what}, {n} {n:repetition|repetitions}",
  "watch.doing": "{number}: {what}",
  "watch.why": "Down at {speed} body heights a second, then at {angle}° from upright, for {down}",
  log: "Last events", "log.acknowledge": "Acknowledge",
  "log.acknowledgeOf": "Acknowledge: {source}, {what}", "log.picture": "Picture from {source}",
  areas: "Zones, lines and masks", "areas.edit": "Zones and masks of {name}",
  "areas.of": "{name}: drag the corners. What is masked is not seen.",
  "areas.zone": "Zone", "areas.bed": "Bed: lying here is sleep", "areas.line": "Line",
  "areas.mask": "Mask", "areas.addZone": "Add a zone", "areas.addLine": "Add a line",
  "areas.addMask": "Add a mask", "areas.turn": "Swap in and out", "areas.in": "in",
  "areas.more": "Add a corner", "areas.less": "Remove a corner", "areas.remove": "Remove {name}",
  "areas.name": "Name", "areas.corner": "Corner {n} of {name}: move it with the arrow keys",
  "areas.height": "The least height of a person, as a percentage of the picture's",
  "areas.save": "Save", "areas.saved": "Saved in the watch file.", "areas.nothing": "Nothing is drawn yet.",
};

/** @typedef {keyof typeof texts} Key */

await translate(texts);

export const { t, pieces, reported, messageOf } = wording(texts);

/**
 * The text of a name that the server gives, such as a part of the body; the name itself without one.
 *
 * @param {string} kind
 * @param {string} name
 */
export function named(kind, name) {
  const key = `${kind}.${name}`;
  return key in texts ? t(/** @type {Key} */ (key)) : name;
}

/**
 * A duration in words, for screen readers.
 *
 * @param {number} seconds
 */
export function spokenTime(seconds) {
  const whole = Math.round(seconds);
  const [m, s] = [Math.floor(whole / 60), whole % 60];
  return m > 0 ? t("spoken.minutes", { m, s }) : t("spoken.seconds", { s });
}

/**
 * What the model recognises, as the server writes it, or its status.
 *
 * @param {import("types/live").Action | null} action
 */
export function actionText(action) {
  if (!action) return "";
  if (action.status !== "action") return t(`action.${action.status}`);
  const { label, text } = action;
  return (label && labelText(label, text)) || text || words(label ?? "");
}

/**
 * The names that the server gives to what is no action, and their texts.
 *
 * @type {Record<string, Key>}
 */
const statuses = { "Low Confidence": "action.lowConfidence", "No Person": "action.noPerson",
  "Starting Up": "action.startingUp", repetitions: "panel.count", ready: "activity.ready" };

/**
 * What a result is of: an action or what was there instead; as the server writes it without a text here.
 *
 * @param {{label: string, text: string, isModelLabel?: boolean}} result
 */
export function resultText({ label, text, isModelLabel = true }) {
  if (isModelLabel) return labelText(label, text) ?? text;
  return label in statuses ? t(statuses[label]) : text;
}
