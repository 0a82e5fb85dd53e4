// @ts-check
/**
 * The answers of the interface of Studio, below /api/v1/studio/.
 *
 * @typedef {import("../shared/wording.js").Text} Text a name with its values, as `{"noRun": {"number": "3"}}`
 * @typedef {"training" | "validation" | "testing" | "leftOut"} Well
 * @typedef {{id: string, name: string, created: string, modified: string, classes: string[],
 *   kinds: Record<string, LabelKind>, items: number, seconds: number, runs: number, state: "idle" | "extracting" | "training"}}
 *   ProjectSummary
 * @typedef {{projects: ProjectSummary[],
 *   deleted: {id: string, name: string, deleted: string}[]}} ProjectList
 * @typedef {{severity: "error" | "warning", kind?: string | null, message: string, text?: Text,
 *   file: string | null}} Finding
 * @typedef {import("../shared/protocol.js").LabelKind} LabelKind
 * @typedef {{label: string, kind: LabelKind, items: number, seconds: number}} ClassSize
 * @typedef {{items: number, seconds: number, classes: ClassSize[], findings: Finding[]}} WellState
 * @typedef {{duration?: number, frameRate?: number, iterations?: number, batchSize?: number | null,
 *   augmentation?: "default" | "flip" | "none", algorithm?: "tcn" | "posture" | "stgcn",
 *   validation?: "auto" | "none" | number, from?: string | null, other?: boolean,
 *   seed?: number}} Parameters
 * @typedef {{author?: string, license?: string, description?: string, version?: string}} Metadata
 * @typedef {{id: string, name: string, created: string, modified: string, parameters: Parameters,
 *   effective: Parameters, metadata: Metadata, wells: Record<Well, WellState>, media: number,
 *   estimate: {extractionSeconds: number, trainingSeconds: number} | null}} ProjectDetail
 *
 * @typedef {{id: string, well: Well, file: string, label: string, start: number | null,
 *   end: number | null, seconds: number | null, person: string | null, kind: "video" | "poses",
 *   playable: boolean, problem: string | null, text?: Text}} Item
 * @typedef {{total: number, items: Item[]}} ItemPage
 * @typedef {{file: string, seconds: number | null, width: number | null, height: number | null,
 *   frameRate: number | null, kind: "video" | "poses", bytes: number, items: number,
 *   extracted: boolean, problem?: string | null}} Medium
 * @typedef {{id: number, points: (number | null)[]}} PosedPerson x, y and confidence of each joint
 * @typedef {{time: number, people: PosedPerson[]}} PosedFrame
 * @typedef {{joints: string[], frames: PosedFrame[]}} Poses
 * @typedef {{extraction: {state: "idle" | "running" | "failed", fraction: number,
 *   secondsLeft: number | null, file: string | null, message: string | null, text?: Text}}} Jobs
 * @typedef {{id: string, name: string, size: number, offset: number, well: Well | null,
 *   label: string | null, person: string | null}} Upload
 * @typedef {{name: string, path: string, kind: "video" | "poses" | "annotations", bytes: number}}
 *   ServerFile
 * @typedef {{path: string, parent: string | null, folders: string[], files: number,
 *   contents: ServerFile[]}} Folder
 *
 * @typedef {{id?: string, label: string, start: number, end: number, well?: Well}} Segment
 * @typedef {{start: number, end: number, label: string | null, confidence: number,
 *   count: number | null, kind: "repetitions" | "model"}} Suggestion
 * @typedef {{start: number, end: number}} Stretch
 * @typedef {{id: string, label: string, state: "working" | "done" | "failed", fraction: number,
 *   file: string, items: Item[], repetitions: Stretch[],
 *   message: string | null, text?: Text}} Take
 *
 * @typedef {{iteration: number, trainingLoss: number | null, trainingAccuracy: number | null,
 *   validationLoss: number | null, validationAccuracy: number | null}} Epoch
 * @typedef {{iteration: number, created: string, bytes: number}} Snapshot
 * @typedef {"waiting" | "extracting" | "training" | "evaluating" | "paused" | "done" | "stopped"
 *   | "failed"} RunState
 * @typedef {{id: number, name: string, created: string, state: RunState, parameters: Parameters,
 *   classes: string[], progress: {fraction: number, secondsLeft: number | null,
 *   iteration: number, iterationCount: number}, best: number | null, hasModel: boolean,
 *   summary: {training: number | null, validation: number | null, testing: number | null},
 *   leaveOneOut: {accuracy: number, lower: number, upper: number,
 *   confused: [string, string] | null} | null,
 *   message: string | null, text?: Text, notes: string[], noteTexts?: Text[], findings: Finding[],
 *   history: Epoch[], snapshots: Snapshot[]}} Run
 * @typedef {{label: string, precision: number | null, recall: number | null, f1: number | null,
 *   support: number}} ClassScore
 * @typedef {{accuracy: number, matrix: number[][], classes: ClassScore[]}} Scores
 * @typedef {{item: string, file: string, start: number, end: number, frames?: number,
 *   label: string, predicted: string, confidence: number, probabilities?: Record<string, number>}} Example
 * @typedef {{labels: string[], accuracy: number, frames?: Scores, windows?: Scores,
 *   videos?: Scores, calibration: {error: number,
 *   bins: {confidence: number, accuracy: number, count: number}[]} | null,
 *   clips?: Example[], examples: Example[], mistakes: Example[]}} Evaluation
 * @typedef {{start: number, end: number, status: "action" | "noPerson" | "lowConfidence"
 *   | "startingUp", label: string | null, confidence: number,
 *   probabilities: Record<string, number>}} TimedWindow
 * @typedef {{windowSeconds: number, frameRate: number, windows: TimedWindow[],
 *   repetitions: Stretch[]}} Timeline
 * @typedef {{bytes: number, classes: string[], windowSize: number, frameRate: number,
 *   duration: number, metadata: Metadata, layers: {kind: string, count: number}[],
 *   snippets: Record<string, string>}} Output
 *
 * What a page is made with; `signal` is aborted when it is left.
 * @typedef {{project: import("./project.js").Project, detail: ProjectDetail,
 *   wireframe: import("../shared/protocol.js").Wireframe, argument: string | null,
 *   query: URLSearchParams, signal: AbortSignal,
 *   shell: import("./shell.js").Shell}} Context
 */

/** @type {Well[]} */
export const wells = ["training", "validation", "testing", "leftOut"];

/** The parameters that a run has where the project sets none and starts from no model. */
export const defaults = {
  duration: 2, frameRate: 30, iterations: 80, batchSize: null, augmentation: "default",
  algorithm: "tcn", validation: "auto", from: null, other: true, seed: 1,
};
