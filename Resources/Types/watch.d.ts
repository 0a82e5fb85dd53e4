// Made from docs/schemas/watch.json by `make web-types`.

/** what the message says, by name with values */
export type Text = {[name: string]: {[name: string]: string}};

export type Event = {
  schema: 1;
  id: string;
  /** of the computer, UTC */
  time: string;
  source: string;
  event: "actionBegins" | "actionLasts" | "actionEnds" | "countReached" | "setFinished" | "setRevised" | "personEnters" | "personLeaves" | "nobody" | "postureBegins" | "postureLasts" | "postureEnds" | "fall" | "lying" | "entersZone" | "leavesZone" | "staysInZone" | "crossesLine" | "sourceStale" | "sourceBack" | "sourcePaused" | "sourceResumed";
  /** when it happened, in seconds of the source */
  at: number;
  person?: number;
  action?: string;
  count?: number;
  /** the person’s set */
  set?: number;
  /** the action that the set was before */
  from?: string;
  seconds?: number;
  posture?: Posture;
  /** the zone that it is about */
  zone?: string;
  /** the zones that the person is in */
  zones?: string[];
  /** the line that the person crosses */
  line?: string;
  direction?: "in" | "out";
  why?: Why;
  message?: string;
  /** JPEG in base64, for receivers of a rule with it */
  picture?: string;
};

export type Posture = "standing" | "sitting" | "lying" | "fallen" | "sleeping";

/** why it is a fall */
export type Why = {
  /** how fast the trunk went down over half a second, in heights of the person a second */
  speed: number;
  /** between trunk and upright since then, in degrees */
  angle: number;
  /** how long the person has been down when it is reported, in seconds */
  down: number;
};

/** shares of the picture’s width and height from its upper left corner */
export type Point = [number, number];

export type Zone = {
  name: string;
  polygon: Point[];
  /** whether who lies here sleeps */
  bed?: boolean;
};

/** who crosses it from the left to the right of its way comes in */
export type Line = {
  name: string;
  from: Point;
  to: Point;
};

export type Areas = {
  zones: Zone[];
  lines: Line[];
  masks: Point[][];
  minimumHeight: number;
};

export type Stream = {
  /** what the camera calls it */
  name: string;
  /** over RTSP, without user and password */
  address: string;
  /** in pixels, where the camera says it */
  size: string | null;
};

export type Camera = {
  name: string;
  host: string;
  /** why it names no streams */
  message: string | null;
  streams: Stream[];
};

export type Cameras = {
  schema: 1;
  cameras: Camera[];
};

export type Logged = {
  event: Event;
  /** whether it has one */
  picture: boolean;
  acknowledged: boolean;
};

export type Log = {
  schema: 1;
  /** newest first */
  events: Logged[];
};

export type Clip = {
  schema: 1;
  id: string;
  /** as of the event */
  time: string;
  source: string;
  event: "clip";
  /** as of the event */
  at: number;
  person?: number;
  /** the event’s name */
  cause: string;
  /** the event’s id */
  of: string;
  /** MP4 in base64 */
  clip: string;
};

export type Person = {
  id: number;
  action: string | null;
  /** of this or the last action */
  count: number;
  /** outside of a bed */
  lying: boolean;
  posture: Posture | null;
  zones: string[];
};

export type Source = {
  name: string;
  /** without user, path and query of a stream; the name of a file */
  address: string | null;
  /** paused: not watched now, by its schedule */
  state: "connecting" | "live" | "stale" | "ended" | "paused";
  /** what decides how many frames are processed, or why none are; null for a file that is being read */
  activity?: "asleep" | "looking" | "still" | "moving" | "connecting" | "stale" | "ended" | "paused" | null;
  /** processed in the last ten seconds */
  framesPerSecond?: number | null;
  /** why there are no pictures */
  message: string | null;
  text?: Text;
  /** when the newest frame was processed */
  frameTime: string | null;
  persons: Person[];
  /** of the first person who does one */
  action: string | null;
  /** of the same person */
  count: number;
  /** whether a person is lying, outside of a bed */
  lying: boolean;
  /** whether a person has fallen and not got up */
  fallen: boolean;
  /** how many people are in each zone */
  zones: {[name: string]: number};
  lastEvent: Event | null;
};

export type State = {
  schema: 1;
  version: string;
  time: string;
  /** live sessions of pages */
  sessions: number;
  /** events that their receivers have not acknowledged */
  waitingEvents: number;
  sources: Source[];
};
