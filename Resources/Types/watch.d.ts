// Made from docs/schemas/watch.json by `make web-types`.

/** what the message says, by name with values */
export type Text = {[name: string]: {[name: string]: string}};

export type Event = {
  schema: 1;
  id: string;
  /** of the computer, UTC */
  time: string;
  source: string;
  event: "actionBegins" | "actionLasts" | "actionEnds" | "countReached" | "setFinished" | "setRevised" | "personEnters" | "personLeaves" | "nobody" | "fall" | "lying" | "sourceStale" | "sourceBack";
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
  message?: string;
  /** JPEG in base64, for receivers of a rule with it */
  picture?: string;
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
  lying: boolean;
};

export type Source = {
  name: string;
  /** without user, path and query of a stream; the name of a file */
  address: string | null;
  state: "connecting" | "live" | "stale" | "ended";
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
  /** whether a person is lying */
  lying: boolean;
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
