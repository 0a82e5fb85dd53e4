// @ts-check
/**
 * The messages of the live protocol (docs/live-protocol.md) and the format of pictures.
 *
 * @typedef {import("./wording.js").Text} Text
 * @typedef {"repetitions" | "seconds"} Unit
 * @typedef {"counted" | "timed" | "none"} LabelKind
 * @typedef {{id: string, name: string, labels: string[], kinds: Record<string, LabelKind>,
 *   challenges: {label: string, units: Unit[]}[], groups: Record<string, string[]>,
 *   windowSize: number, frameRate: number, isBuiltIn: boolean}} Model
 * @typedef {{id: string, kind: "camera" | "stream" | "file" | "synthetic", name: string}}
 *   ServerSource
 * @typedef {{kind: "browser"} | {kind: "server", id: string}} Source
 * @typedef {{model: string | null, isClassifying: boolean, isCounting: boolean,
 *   countsPairs: boolean, ignoredJoints: string[], confidenceThreshold: number | null,
 *   stride: number | null, maximumPersonCount: number, isRecording: boolean,
 *   profile: number | null}} Settings
 * @typedef {{id: number, name: string}} Profile
 *
 * @typedef {{name: string, color: string, subdued: string, size: number}} Joint
 * @typedef {{joints: Joint[], limbs: [number, number][], leastWidth: number}} Wireframe
 * @typedef {{schema: number, version: string, sources: ServerSource[], models: Model[],
 *   limits: {sessions: number, modelBytes: number, frameBytes: number},
 *   isRecordingAllowed: boolean, wireframes: Record<"body" | "hand", Wireframe>}} Info
 * @typedef {{id: number, name: string, startedAt: string, duration: number, model: string | null,
 *   entries: Entry[], sets: TrainedSet[], isOpen: boolean, hasRecording: boolean,
 *   profile: number | null, timeline?: Stretch[]}} SessionRecord
 * @typedef {{total: number, sessions: SessionRecord[]}} HistoryPage
 *
 * @typedef {{session: string, historyID: number, model: Model | null, frameRate: number,
 *   source: Source, settings: Settings}} Ready
 * @typedef {{status: "action" | "startingUp" | "noPerson" | "lowConfidence", label: string | null,
 *   text: string, group?: string, confidence: number, top: [string, number][]}} Action
 * @typedef {{id: number, confidence: number, box: [number, number, number, number] | null,
 *   joints: [number, number, number][], action: Action | null, count: number,
 *   tempo: number | null}} Person
 * @typedef {{sequence: number, time: number, width: number, height: number, persons: Person[],
 *   prominent: number | null, isPinned: boolean,
 *   hint: "moreThanOnePerson" | "stepBack" | "moveIntoView" | null, hintText: string | null,
 *   hintParts: ("head" | "leftArm" | "rightArm" | "leftLeg" | "rightLeg")[],
 *   dropped: number, serverTime: number, action: Action | null, count: number,
 *   countedLabel: string | null, counts: Record<string, number>, tempo: number | null}} Frame
 * @typedef {{label: string, text: string, isModelLabel: boolean, seconds: number,
 *   repetitions: number}} Entry
 * @typedef {{start: number, end: number, label: string, text: string, isModelLabel: boolean,
 *   person: number | null, repetitions: number}} Stretch
 * @typedef {{joint?: string | null, bottom?: number | null, top?: number | null,
 *   range?: number | null, down?: number | null, hold?: number | null, up?: number | null,
 *   difference?: number | null, isOneSided?: boolean}} FormValues angles in degrees, times in seconds
 * @typedef {FormValues & {number: number, label: string, text: string,
 *   view: "front" | "oblique" | "side" | null,
 *   verdict: "good" | "fault" | "borderline" | "unseen", cue: string | null}} Form
 * @typedef {FormValues & {count: number, cues: {text: string, count: number}[]}} SetForm
 * @typedef {{label: string, text: string, start: number, end: number, repetitions: number,
 *   seconds: number, weight?: number, form?: SetForm,
 *   target?: {repetitions?: number, seconds?: number, set: number, sets: number,
 *     isDone: boolean}}} TrainedSet
 * @typedef {{duration: number, entries: Entry[], timeline: Stretch[], sets: TrainedSet[]}} Summary
 * @typedef {{label: string, text: string, repetitions: number | null, seconds: number | null,
 *   doneRepetitions: number, doneSeconds: number, set: number, sets: number,
 *   weight: number | null, state: "pending" | "active" | "done" | "skipped"}} ChallengeItem
 * @typedef {{state: "idle" | "waiting" | "running" | "paused" | "resting" | "finished",
 *   index: number, items: ChallengeItem[], rest: {seconds: number, left: number} | null}} Challenge
 * @typedef {{label: string, repetitions?: number, seconds?: number, sets?: number, rest?: number,
 *   weight?: number}} Target
 * @typedef {{name: string, items: Target[]}} Routine
 * @typedef {{state: "connecting" | "live" | "stale" | "reconnecting" | "ended", message: string,
 *   text?: Text, attempt: number, retryIn: number | null}} SourceState
 * @typedef {{cameraFPS: number, analysedFPS: number, dropped: number,
 *   latency: {p50: number | null, p95: number | null}, sessions: number,
 *   isRecording: boolean}} Statistics
 * @typedef {{code: string, message: string, text?: Text, isFatal: boolean}} Problem
 * @typedef {{ready: Ready, frame: Frame, summary: Summary, challenge: Challenge, form: Form,
 *   source: SourceState, statistics: Statistics, error: Problem, pong: {time: number},
 *   queued: {place: number}}}
 *   ServerMessages the server's messages, by `type`
 *
 * @typedef {{command: "start", items: Target[]}
 *   | {command: "skip"} | {command: "stop"}} ChallengeCommand
 * @typedef {{type: "start", source: Source, settings: Partial<Settings>, resume?: string}
 *   | {type: "configure", settings: Partial<Settings>}
 *   | {type: "source", source: Source}
 *   | {type: "pin", person: number | null}
 *   | {type: "challenge"} & ChallengeCommand
 *   | {type: "new"}
 *   | {type: "report", cameraFPS: number, latency: {p50: number, p95: number}}
 *   | {type: "ping", time: number}} ClientMessage
 *
 * @typedef {{schema: number, id: string, time: string, source: string, event: string, at: number,
 *   person?: number, action?: string, count?: number, seconds?: number, message?: string}} WatchEvent
 * @typedef {{id: number, action: string | null, count: number, lying: boolean}} WatchedPerson
 * @typedef {{name: string, address: string | null,
 *   state: "connecting" | "live" | "stale" | "ended", message: string | null, text?: Text,
 *   frameTime: string | null, persons: WatchedPerson[], action: string | null, count: number,
 *   lying: boolean, lastEvent: WatchEvent | null}} WatchedSource
 * @typedef {{schema: number, version: string, time: string, sessions: number,
 *   waitingEvents: number, sources: WatchedSource[]}} ServerState
 *
 * @typedef {{sequence: number, time: number, jpeg: Blob}} Picture
 */

const headerSize = 16;
const signature = 0x3152464b; // "KFR1", little-endian

/**
 * The message that carries a picture.
 *
 * @param {number} sequence
 * @param {number} time milliseconds of the page's clock
 * @param {ArrayBuffer} jpeg
 */
export function packPicture(sequence, time, jpeg) {
  const message = new ArrayBuffer(headerSize + jpeg.byteLength);
  const view = new DataView(message);
  view.setUint32(0, signature, true);
  view.setUint32(4, sequence, true);
  view.setFloat64(8, time, true);
  new Uint8Array(message).set(new Uint8Array(jpeg), headerSize);
  return message;
}

/**
 * The picture in a message of the server; null if it is not one.
 *
 * @param {ArrayBuffer} message
 * @returns {Picture | null}
 */
export function unpackPicture(message) {
  if (message.byteLength <= headerSize) return null;
  const view = new DataView(message);
  if (view.getUint32(0, true) !== signature) return null;
  return {
    sequence: view.getUint32(4, true),
    time: view.getFloat64(8, true),
    jpeg: new Blob([new Uint8Array(message, headerSize)], { type: "image/jpeg" }),
  };
}
