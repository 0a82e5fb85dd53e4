// @ts-check
/**
 * The texts of what the server reports, by the names that it gives them (docs/live-protocol.md), and
 * of what is wrong with the browser's camera, by the names of its errors. A value may have a text as
 * well: `{set}` is that of `set.test` where there is one.
 */

export const messages = {
  // The server and its connections.
  "error.unreachable": "The computer that runs Kinema cannot be reached.",
  "error.notLoaded": "The page could not be loaded: load it again.",
  "error.badStatus": "The server answered with status {status}.",
  "error.token": "This page needs the server's token: open the address that Kinema printed at its start.",
  "error.wrongHost": "This server does not answer to the name {host}: allow it when the server is started.",
  "error.wrongOrigin": "Requests from pages of another server are not accepted.",
  "error.internal": "The server could not answer: try again.",
  "error.nothingHere": "There is nothing at this address.",
  "error.tooManyRequests": "Too many requests: wait a moment.",
  "error.tooManyConnections": "Too many connections: try again in a moment.",
  "error.tooMuchSent": "Too much is being sent at once: try again in a moment.",
  "error.tooLarge": "This is too large to be sent: at most {limit} bytes are taken.",
  "error.tooSlow": "The request took too long to arrive.",
  "error.tooManyListeners": "{limit} clients receive events already: close one of them.",

  // Live sessions.
  "error.closed": "The server ended the connection.",
  "error.busy": "The server has reached its limit of sessions.",
  "error.serverEnds": "The server is ending.",
  "error.serverFull": "The server is at its limit (sessions: {sessions}), and many wait: try again later.",
  "error.cannotBegin": "The session cannot begin: try again later.",
  "error.resumedElsewhere": "The session was resumed by another connection.",
  "error.tooManyErrors": "{count} messages in a row were not understood.",
  "error.largePicture": "A picture is too large ({bytes} bytes).",
  "error.recordingForbidden": "This server keeps no videos: start it with recording allowed.",
  "error.noLiveModel": "There is no model “{id}”: choose another.",
  "error.noSource": "There is no source “{id}”: choose another.",
  "error.noPicture": "{source} has no picture yet: try again in a moment.",
  "error.notInView": "Person {person} is not in view.",
  "error.challengeItems": "A challenge has 1 to {limit} actions.",
  "error.challengeSets": "A challenge has at most {limit} sets.",
  "error.challengeLabel": "The model has no label “{label}”.",

  // Sources of the server.
  "error.sourceConnects": "{source} is connecting.",
  "error.sourceReconnects": "{source} is reconnecting.",
  "error.sourceLive": "{source} is live.",
  "error.sourceSilent": "{source} is open, but has sent no picture for a while.",
  "error.sourceEnded": "{source} has ended: it is opened again.",
  "error.sourceStopped": "{source} has stopped ({reason}): it is opened again.",
  "error.sourceFailed": "{source} has failed ({reason}): it is opened again.",
  "error.sourceSentNothing": "{source} sends no pictures: it is opened again.",
  "error.sourceTimedOut": "{source} has not answered: check that it runs; it is tried again.",
  "error.cameraMissing": "{source} is not there: plug it in or choose another; it is tried again.",
  "error.sourceMissing": "{source} is not there: check its address; it is tried again.",
  "error.sourceInUse": "{source} is used by another program: close that one; it is tried again.",
  "error.sourceForbidden": "{source} may not be opened: check its permissions; it is tried again.",
  "error.sourceWithoutVideo": "{source} sends no video: check its address; it is tried again.",
  "error.sourceUndecodable": "{source} sends video that the installed FFmpeg cannot decode: set it to "
    + "H.264.",
  "error.sourceNotVideo": "{source} sends data that is not video: check its address; it is tried again.",
  "error.sourceUnopened": "{source} cannot be opened ({reason}): check that it runs; it is tried again.",

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

  // Profiles, routines, models and the history.
  "error.badName": "The name cannot be used: give 1 to {limit} characters on one line.",
  "error.tooManyProfiles": "There are {limit} profiles: delete one first.",
  "error.noProfile": "The profile is not there any more: choose another.",
  "error.profileExists": "There is a profile “{name}”: give another name.",
  "error.tooManyRoutines": "There are {limit} routines: delete one first.",
  "error.noRoutine": "The routine “{name}” is not there any more.",
  "error.badRoutines": "{file} cannot be read: mend it or move it elsewhere.",
  "error.tooManyModels": "There are {limit} uploaded models: delete one first.",
  "error.builtInModel": "The model {name} was not uploaded: it cannot be deleted.",
  "error.unusableModel": "“{file}” cannot be used as a model ({reason}).",
  "error.notModel": "“{file}” is not a model for actions.",
  "error.largeModel": "“{file}” has {megabytes} MB: at most {limit} are taken.",
  "error.noSession": "The session is not in the history any more.",
  "error.noRecording": "There is no recording of this session.",
  "error.notDeleted": "{file} cannot be deleted: check its permissions.",
  "error.historyFull": "The history {file} has no room to grow: free space on its disk; saved sessions "
    + "are preserved.",
  "error.historyReadOnly": "The history {file} cannot be written: check the permissions of its folder.",
  "error.historyInUse": "The history {file} is in use by another program: end that program and try again.",
  "error.historyDamaged": "The history {file} is damaged: start Kinema again; it is moved aside and a new "
    + "one is created.",
  "error.historyUnreadable": "The history {file} cannot be read or written ({reason}): check its disk; "
    + "saved sessions are preserved.",
  "error.historyUnusable": "The history {file} cannot be used ({reason}).",
  "error.historyReplaced": "The history {file} was deleted or replaced while it is in use: nothing is "
    + "saved until Kinema is started again.",

  // Files.
  "error.fileGone": "{file} is not there.",
  "error.unreadableFile": "{file} cannot be read: check that it is there and its permissions.",
  "error.brokenFile": "{file} cannot be read ({reason}): copy it again and check its permissions.",
  "error.noFolder": "There is no folder {folder}.",
  "error.unreadableFolder": "The folder {folder} cannot be read: check its permissions.",
  "error.fileNotFolder": "{file} is a file, not a folder: name its folder.",
  "error.nothingThere": "There is no folder and no annotation file at {path}.",
  "error.notUTF8": "{file} is not text in UTF-8: save it again as UTF-8, or as “CSV UTF-8”.",
  "error.largeRow": "{file}, row {row} is too long: check that it is a table with a line for each row.",
  "error.openQuotation": "{file}, row {row}: a quotation mark is opened and never closed; close it, or "
    + "double it where it belongs to the text.",
  "error.diskFull": "{file} cannot be written ({reason}): make room or write elsewhere.",
  "error.folderGone": "{file} cannot be written: the folder {folder} is not there.",
  "error.readOnly": "{file} cannot be written: check the permissions of its folder.",
  "error.notAFile": "{file} cannot be written: it is not a file.",
  "error.unwritable": "{file} cannot be written ({reason}).",
  "error.noMemory": "There is not enough memory: close other programs.",
  "error.noThread": "No thread could be started: close other programs or raise the limit on processes.",

  // Videos.
  "error.folderNotVideo": "{file} is a folder, not a video: name a file in it.",
  "error.deviceNotVideo": "{file} is a device, not a video: save its content to a file first.",
  "error.emptyFile": "{file} is empty: copy or record it again.",
  "error.slowFile": "{file} takes too long to open, so it is probably damaged: copy or convert it again.",
  "error.cutOffFile": "{file} is cut off or damaged, as after an interrupted recording or copy: copy or "
    + "record it again.",
  "error.changedFile": "{file} was changed or cut off while it was read: wait until it is written, and "
    + "start again.",
  "error.notVideo": "{file} is damaged or not a video: give an mp4, mov, mkv, webm, avi or gif file.",
  "error.stillPicture": "{file} is a still picture, not a video: give an mp4, mov, mkv, webm, avi or gif "
    + "file.",
  "error.animatedWebP": "{file} is an animated WebP, which FFmpeg does not decode: convert it to GIF or "
    + "MP4.",
  "error.onlySound": "{file} holds sound but no video: give a file with a video track.",
  "error.noVideoTrack": "{file} has no video track, or one that is cut off or damaged: copy or record it "
    + "again.",
  "error.nothingDecoded": "{file} holds no picture that can be decoded: copy or record it again.",
  "error.largePictures": "The pictures of {file} are {width} × {height} pixels, which is too large: scale "
    + "it down first.",
  "error.noDecoder": "The video of {file} is coded as {codec}, for which the installed FFmpeg has no "
    + "decoder: convert it to H.264 first.",
  "error.damagedVideo": "The video of {file} cannot be decoded ({reason}), it is probably damaged: copy or "
    + "record it again.",
  "error.damagedParts": "{file} is damaged or cut off: parts of it are left out.",

  // Poses and what finds them.
  "error.notPoseFile": "{file} is not a pose file: poses are read from .npz and .jsonl files.",
  "error.notPoses": "{file} is not a pose file: {reason}",
  "error.badPoseLine": "Line {line} of {file} is not a frame of poses: extract it again.",
  "error.noFrames": "{file} has no frames.",
  "error.otherJoints": "{file} has other joints than the rest: hands and bodies are trained separately.",
  "error.fullPoses": "{file} cannot be written: make room there, and check its permissions.",
  "error.partMissing": "{part} is missing: install Kinema again, or run `kinema doctor`.",
  "error.unusablePart": "{part} cannot be used: install Kinema again, or run `kinema doctor`.",
  "error.inferenceFailed": "The network could not be run ({reason}).",
};
