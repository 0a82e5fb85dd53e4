// @ts-check
/**
 * The texts of what the server reports, by the names that it gives them (docs/live-protocol.md), which
 * the server sends as a module, and of what the browser finds: that the server cannot be reached, and
 * what is wrong with its camera, by the names of its errors. A value may have a text as well: `{set}` is
 * that of `set.test` where there is one.
 */

import { reported } from "/reported.js";

export const messages = {
  ...reported,

  // The connection to the server.
  "error.unreachable": "The computer that runs Kinema cannot be reached.",
  "error.notLoaded": "The page could not be loaded: load it again.",
  "error.badStatus": "The server answered with status {status}.",
  "error.closed": "The server ended the connection.",

  // The choice of the language.
  "language.name": "Language", "language.auto": "As in the browser",

  // The body in three dimensions.
  "space.view": "The body in three dimensions: turn it by dragging, or with the arrow keys",
  "space.graph": "The angle over the last seconds", "space.angle": "Angle",
  "space.most": "What moves most", "space.knee": "Knee", "space.hip": "Hip", "space.elbow": "Elbow",
  "space.shoulder": "Shoulder", "space.trunk": "Trunk's lean", "space.left": "left",
  "space.right": "right", "space.one": "", "space.unseen": "Too little of the body is seen.",

  // The camera of the browser.
  "camera.InsecureContext": "Browsers allow the camera only on pages opened over https or on this "
    + "computer itself. Open Kinema's https address or choose another source.",
  "camera.NotAllowedError": "The browser blocks the camera for this page. Allow it in the address bar or "
    + "in the system's settings, then start again.",
  "camera.NotFoundError": "No camera was found on this device. Connect one or choose another source.",
  "camera.NotReadableError": "The camera is in use by another program. Close it, then start again.",
  "camera.OverconstrainedError": "The selected camera is no longer available. Start again to use "
    + "another.",
  "camera.SecurityError": "The browser's settings block the camera.",
  "camera.lost": "The camera was disconnected.",
  "camera.other": "The camera could not be opened ({name}).",
};
