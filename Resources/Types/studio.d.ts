// Made from docs/schemas/studio.json by `make web-types`.

/** what a message says, by name with values */
export type Text = {[name: string]: {[name: string]: string | number | Text}};

export type Well = "training" | "validation" | "testing" | "leftOut";

export type ProjectList = {
  projects: ProjectSummary[];
  deleted: {
    id: string;
    name: string;
    deleted: string;
  }[];
};

export type ProjectSummary = {
  id: string;
  name: string;
  created: string;
  modified: string;
  /** those of all wells but leftOut */
  classes: string[];
  kinds: {[name: string]: LabelKind};
  items: number;
  seconds: number;
  runs: number;
  state: "idle" | "extracting" | "training";
};

export type ProjectDetail = {
  id: string;
  name: string;
  created: string;
  modified: string;
  /** what the project sets */
  parameters: Parameters;
  /** the same with defaults */
  effective: Parameters;
  metadata: Metadata;
  wells: {
    training: WellState;
    validation: WellState;
    testing: WellState;
    leftOut: WellState;
  };
  /** whether the findings are of an earlier state */
  checking: boolean;
  media: number;
  /** whether another server may change it */
  readOnly: boolean;
  estimate: {
    extractionSeconds: number;
    trainingSeconds: number;
  } | null;
};

export type Parameters = {
  /** seconds */
  duration?: number;
  frameRate?: number;
  iterations?: number;
  batchSize?: number;
  augmentation?: "default" | "flip" | "none";
  algorithm?: "tcn" | "posture" | "stgcn";
  validation?: "auto" | "none" | number;
  /** the id of a model */
  from?: string;
  other?: boolean;
  seed?: number;
};

export type Metadata = {
  author?: string;
  license?: string;
  description?: string;
  version?: string;
};

export type WellState = {
  items: number;
  seconds: number;
  classes: ClassSize[];
  findings: Finding[];
};

export type ClassSize = {
  label: string;
  kind: LabelKind;
  items: number;
  seconds: number;
};

/** what a label is: counted in repetitions, timed, or no action */
export type LabelKind = "counted" | "timed" | "none";

export type Finding = {
  severity: "error" | "warning";
  kind?: string;
  message: string;
  text?: Text;
  file?: string;
  /** how many it stands for, if not for one */
  count?: number;
};

export type ItemPage = {
  total: number;
  items: Item[];
};

export type Item = {
  id: string;
  well: Well;
  file: string;
  label: string;
  start: number | null;
  end: number | null;
  seconds: number | null;
  person: string | null;
  kind: "video" | "poses";
  playable: boolean;
  problem: string | null;
  text?: Text;
};

export type Annotations = {
  segments: Segment[];
  version: string;
};

export type Segment = {
  id: string;
  label: string;
  start: number | null;
  end: number | null;
  well: Well;
};

export type MediaList = {
  media: Medium[];
};

export type Medium = {
  file: string;
  seconds: number | null;
  width: number | null;
  height: number | null;
  frameRate: number | null;
  kind: "video" | "poses";
  bytes: number;
  items: number;
  extracted: boolean;
  problem: string | null;
  text?: Text;
};

export type Folder = {
  path: string;
  parent?: string;
  folders: string[];
  /** videos and pose files */
  files: number;
  contents: ServerFile[];
};

export type ServerFile = {
  name: string;
  path: string;
  kind: "video" | "poses" | "annotations";
  bytes: number;
};

export type ImportResult = {
  items: number;
  findings: Finding[];
};

export type Jobs = {
  extraction: {
    state: "idle" | "running" | "failed";
    fraction: number;
    secondsLeft: number | null;
    file: string | null;
    message: string | null;
    text?: Text;
  };
};

export type Poses = {
  joints: string[];
  frames: PosedFrame[];
};

export type PosedFrame = {
  time: number;
  people: PosedPerson[];
  /** the largest person in three dimensions, as in the live protocol, with bodies=1 */
  body?: {
    person: number;
    joints: number[][];
    floor: number;
    angles: {[name: string]: [number, number]};
  };
};

export type PosedPerson = {
  id: number;
  /** x, y and confidence of each joint */
  points: number[];
};

export type Suggestions = {
  segments: Suggestion[];
};

export type Suggestion = {
  start: number;
  end: number;
  label: string | null;
  confidence: number;
  count: number | null;
  kind: "repetitions" | "model";
};

export type Stretch = {
  start: number;
  end: number;
};

/** an answer that is made: ask again */
export type Waiting = {
  fraction: number;
};

export type UploadList = {
  uploads: Upload[];
};

export type Upload = {
  id: string;
  name: string;
  size: number;
  offset: number;
  well: Well;
  label?: string;
  person?: string;
  /** it becomes a take of its label */
  take?: {
    keepVideo?: boolean;
  };
};

export type TakeList = {
  takes: Take[];
};

export type Take = {
  id: string;
  label: string;
  state: "working" | "done" | "failed";
  fraction: number;
  file: string;
  items: Item[];
  repetitions: Stretch[];
  message: string | null;
  text?: Text;
};

export type RunList = {
  runs: Run[];
};

export type Run = {
  id: number;
  name: string;
  created: string;
  state: RunState;
  parameters: Parameters;
  classes: string[];
  progress: {
    fraction: number;
    secondsLeft: number | null;
    iteration: number;
    iterationCount: number;
  };
  best: number | null;
  hasModel: boolean;
  summary: {
    training: number | null;
    validation: number | null;
    testing: number | null;
  };
  leaveOneOut: {
    accuracy: number;
    lower: number;
    upper: number;
    confused: [string, string] | null;
  } | null;
  message: string | null;
  text?: Text;
  notes: string[];
  noteTexts?: Text[];
  findings: Finding[];
  snapshots: Snapshot[];
  /** of one run, not in lists */
  history?: Epoch[];
};

export type RunState = "waiting" | "extracting" | "training" | "evaluating" | "paused" | "done" | "stopped" | "failed";

export type Snapshot = {
  iteration: number;
  created: string;
  bytes: number;
};

export type Epoch = {
  iteration: number;
  trainingLoss: number;
  trainingAccuracy: number;
  validationLoss: number | null;
  validationAccuracy: number | null;
};

export type Evaluation = {
  labels: string[];
  accuracy: number;
  frames: Scores;
  windows: Scores;
  videos: Scores;
  calibration: {
    error: number;
    bins: {
      confidence: number;
      accuracy: number;
      count: number;
    }[];
  };
  clips: Example[];
  examples: Example[];
  mistakes: Example[];
};

export type Scores = {
  accuracy: number;
  /** rows are true labels */
  matrix: number[][];
  classes: ClassScore[];
};

export type ClassScore = {
  label: string;
  precision: number | null;
  recall: number | null;
  f1: number | null;
  support: number;
};

export type Example = {
  item: string | null;
  file: string;
  start: number;
  end: number;
  frames?: number;
  label: string;
  predicted: string;
  confidence: number;
  probabilities?: {[name: string]: number};
};

export type Timeline = {
  windowSeconds: number;
  frameRate: number;
  windows: TimedWindow[];
  repetitions: Stretch[];
};

export type TimedWindow = {
  start: number;
  end: number;
  status: "action" | "noPerson" | "lowConfidence";
  label: string | null;
  confidence: number;
  probabilities: {[name: string]: number};
};

export type Output = {
  bytes: number;
  classes: string[];
  windowSize: number;
  frameRate: number;
  duration: number;
  metadata: Metadata;
  layers: {
    kind: string;
    count: number;
  }[];
  snippets: {
    python: string;
    swift: string;
    shell: string;
  };
};
