// Made from docs/schemas/live.json by `make web-types`.

export type ServerMessage = Ready | Frame | Summary | Challenge | Form | SetRevised | SourceState | Statistics | Queued | Pong | Problem;

export type ClientMessage = {
  type: "start";
  source: Source;
  settings: SomeSettings;
  resume?: string;
} | {
  type: "configure";
  settings: SomeSettings;
} | {
  type: "source";
  source: Source;
} | {
  type: "pin";
  person: number | null;
} | {
  type: "challenge";
} & ChallengeCommand | {
  type: "new";
} | {
  type: "report";
  cameraFPS: number;
  /** from capture to overlay, in milliseconds */
  latency: {
    p50: number;
    p95: number;
  };
} | {
  type: "ping";
  time: number;
};

export type ChallengeCommand = {
  command: "start";
  items: Target[];
} | {
  command: "skip";
} | {
  command: "stop";
};

export type Target = {
  label: string;
  repetitions?: number;
  seconds?: number;
  sets?: number;
  /** after each set, in seconds */
  rest?: number;
  /** in kilograms */
  weight?: number;
};

export type Routine = {
  name: string;
  items: Target[];
};

export type Profile = {
  id: number;
  name: string;
};

export type Info = {
  schema: 1;
  version: string;
  sources: ServerSource[];
  models: Model[];
  limits: {
    sessions: number;
    modelBytes: number;
    frameBytes: number;
  };
  isRecordingAllowed: boolean;
  wireframes: {
    body: Wireframe;
    hand: Wireframe;
  };
};

export type ServerSource = {
  id: string;
  kind: "camera" | "stream" | "file" | "synthetic";
  name: string;
};

export type Wireframe = {
  joints: Joint[];
  limbs: [number, number][];
  /** of a limb, relative to the shorter side */
  leastWidth: number;
  /** of a joint that is drawn */
  leastConfidence: number;
};

export type Joint = {
  name: string;
  color: string;
  subdued: string;
  /** relative to the trunk */
  size: number;
};

export type HistoryPage = {
  total: number;
  sessions: SessionRecord[];
};

/** how an action is done, by a synthetic person */
export type Demonstration = {
  label: string;
  /** frames a second */
  frameRate: number;
  /** x, y and z of each joint in metres, a frame each: x to the person's left, y up from the floor, z to where they face */
  frames: number[][][];
};

export type SessionRecord = {
  id: number;
  name: string;
  /** whether somebody gave the name; else it is the start as the server's clock shows it */
  isNamed: boolean;
  startedAt: string;
  duration: number;
  model: string | null;
  entries: Entry[];
  sets: TrainedSet[];
  isOpen: boolean;
  hasRecording: boolean;
  profile: number | null;
  timeline?: Stretch[];
};

/** what the message says, by name with values */
export type Text = {[name: string]: {[name: string]: string}};

export type Action = {
  status: "action" | "startingUp" | "noPerson" | "lowConfidence";
  label: string | null;
  text: string;
  /** beside a label that its windows doubt */
  group?: string;
  confidence: number;
  top: [string, number][];
};

export type Person = {
  id: number;
  confidence: number;
  /** x and y of the lower left corner, width, height; null without a confident joint */
  box: [number, number, number, number] | null;
  joints: [number, number, number][];
  action: Action | null;
  activity?: Activity;
  set?: CurrentSet;
  /** how the person holds their body; not of hands */
  posture?: {
    kind: "standing" | "walking" | "running" | "sitting" | "kneeling" | "crouching" | "bending" | "on_all_fours" | "lying_prone" | "lying_supine" | "lying_on_side" | "upside_down";
    probability: number;
  };
  count: number;
  tempo: number | null;
  hand?: "left" | "right";
};

export type Entry = {
  label: string;
  text: string;
  isModelLabel: boolean;
  seconds: number;
  repetitions: number;
};

export type Stretch = {
  start: number;
  end: number;
  label: string;
  text: string;
  isModelLabel: boolean;
  person: number | null;
  repetitions: number;
};

export type Unit = "repetitions" | "seconds";

/** what a label is: counted in repetitions, timed, or no action */
export type LabelKind = "counted" | "timed" | "none";

export type Model = {
  id: string;
  name: string;
  labels: string[];
  kinds: {[name: string]: LabelKind};
  challenges: {
    label: string;
    units: Unit[];
  }[];
  groups: {[name: string]: string[]};
  windowSize: number;
  frameRate: number;
  jointCount: number;
  isBuiltIn: boolean;
};

export type Ready = {
  type: "ready";
  session: string;
  historyID: number | null;
  model: Model | null;
  frameRate: number;
  source: Source;
  settings: Settings;
};

/** of a session */
export type Source = {
  kind: "browser";
} | {
  kind: "server";
  id: string;
};

export type SomeSettings = {
  model?: string | null;
  isClassifying?: boolean;
  isCounting?: boolean;
  countsPairs?: boolean;
  isLifting?: boolean;
  ignoredJoints?: string[];
  confidenceThreshold?: number | null;
  stride?: number | null;
  maximumPersonCount?: number;
  isRecording?: boolean;
  profile?: number | null;
};

export type Settings = Required<SomeSettings>;

export type Frame = {
  type: "frame";
  sequence: number;
  time: number;
  width: number;
  height: number;
  persons: Person[];
  prominent: number | null;
  isPinned: boolean;
  hint: "moreThanOnePerson" | "stepBack" | "moveIntoView" | null;
  dropped: number;
  serverTime: number;
  hintText: string | null;
  hintParts: ("head" | "leftArm" | "rightArm" | "leftLeg" | "rightLeg")[];
  action: Action | null;
  count: number;
  countedLabel: string | null;
  counts: {[name: string]: number};
  tempo: number | null;
  activity?: Activity;
  set?: CurrentSet;
  body?: Body;
};

/** the prominent person in three dimensions, with the setting isLifting */
export type Body = {
  person: number;
  /** x, y, z and their standard error in metres, from the middle of the hips: x to the right in the picture, y up against gravity, z towards the camera; in the order of the joints */
  joints: number[][];
  /** the height of the floor in metres */
  floor: number;
  angles: {[name: string]: [number, number]};
};

/** a set under way, nothing in particular, or walking, running or lying by the posture */
export type Activity = "set" | "ready" | "everyday";

export type CurrentSet = {
  id: number;
  /** null while it has no name */
  label: string | null;
  kind: "counted" | "timed";
  repetitions: number;
  seconds: number;
};

export type SetRevised = {
  type: "setRevised";
  person: number;
  set: number;
  from: string;
  to: string;
  text: string;
  /** that have the new name */
  repetitions: number;
  /** the set that it becomes a part of */
  joined?: number;
};

export type Form = {
  type: "form";
  number: number;
  label: string;
  text: string;
  view: "front" | "oblique" | "side" | null;
  verdict: "good" | "fault" | "borderline" | "unseen" | "uncertain";
  joint: "knee" | "hip" | "elbow" | "shoulder" | null;
  /** degrees */
  bottom: number | null;
  /** degrees */
  top: number | null;
  /** degrees */
  range: number | null;
  /** seconds */
  down: number | null;
  /** seconds */
  hold: number | null;
  /** seconds */
  up: number | null;
  /** degrees */
  difference: number | null;
  isOneSided: boolean;
  cue: string | null;
  /** the joint that the cue is about */
  focus?: "knee" | "hip" | "elbow" | "shoulder";
  /** how long before the newest frame the repetition began and ended, in seconds */
  ago: [number, number];
};

export type TrainedSet = {
  label: string;
  text: string;
  start: number;
  end: number;
  repetitions: number;
  seconds: number;
  weight?: number;
  target?: {
    repetitions?: number;
    seconds?: number;
    set: number;
    sets: number;
    isDone: boolean;
  };
  form?: SetForm;
};

export type SetForm = {
  count: number;
  joint?: "knee" | "hip" | "elbow" | "shoulder";
  /** degrees */
  bottom?: number;
  /** degrees */
  top?: number;
  /** degrees */
  range?: number;
  /** seconds */
  down?: number;
  /** seconds */
  hold?: number;
  /** seconds */
  up?: number;
  /** degrees */
  difference?: number;
  cues: {
    text: string;
    count: number;
  }[];
};

export type Summary = {
  type: "summary";
  duration: number;
  entries: Entry[];
  timeline: Stretch[];
  sets: TrainedSet[];
};

export type ChallengeItem = {
  label: string;
  text: string;
  repetitions: number | null;
  seconds: number | null;
  doneRepetitions: number;
  doneSeconds: number;
  set: number;
  sets: number;
  weight: number | null;
  state: "pending" | "active" | "done" | "skipped";
};

export type Challenge = {
  type: "challenge";
  state: "idle" | "waiting" | "running" | "paused" | "resting" | "finished";
  index: number;
  items: ChallengeItem[];
  rest: {
    seconds: number;
    left: number;
  } | null;
};

export type SourceState = {
  type: "source";
  state: "connecting" | "live" | "stale" | "reconnecting" | "ended";
  message: string;
  text?: Text;
  attempt: number;
  retryIn: number | null;
};

export type Statistics = {
  type: "statistics";
  cameraFPS: number;
  analysedFPS: number;
  dropped: number;
  /** from arrival to answer, in milliseconds */
  latency: {
    p50: number | null;
    p95: number | null;
  };
  sessions: number;
  isRecording: boolean;
};

export type Queued = {
  type: "queued";
  place: number;
};

export type Pong = {
  type: "pong";
  time: number | null;
};

export type Problem = {
  type: "error";
  code: string;
  message: string;
  text?: Text;
  isFatal: boolean;
};
