extension MessageTable {
  /// What the server reports.
  static let server = """
    # The server and its connections.
    token: This page needs the server's token: open the address that Kinema printed at its \
    start.
    wrongHost: This server does not answer to the name {host}: allow it when the server is \
    started.
    wrongOrigin: Requests from pages of another server are not accepted.
    internal: The server could not answer: try again.
    nothingHere: There is nothing at this address.
    tooManyRequests: Too many requests: wait a moment.
    tooManyConnections: Too many connections: try again in a moment.
    tooMuchSent: Too much is being sent at once: try again in a moment.
    tooLarge: The request is too large: at most {limit} bytes are taken.
    tooSlow: The request took too long to arrive.
    noHost: The request has no host, or not a proper one.
    badPath: The request's path does not begin with a slash, or has a # in it.
    pathCharacters: The request's path has a backslash or a control character in it.
    pathDots: The request's path has a . or .. in it.
    badPercent: The request's {part} has a % without two hexadecimal digits, or is not UTF-8.
    headCharacters: The request's head has a control character in it, or a line without CR LF.
    badRequestLine: The request line is not METHOD PATH HTTP/1.1.
    badMethod: The request's method is not a word.
    otherMethod: The method {method} is not served here.
    wrongMethod: {method} is not possible here: use {methods}.
    largeHead: The request's head may have {limit} bytes at most.
    tooManyHeaders: The request has more than {limit} headers.
    badHeader: A header line is not NAME: VALUE.
    twoHeaders: The header {name} appears twice.
    chunkedBody: Bodies in chunks are not accepted: send a content-length.
    badLength: The content-length is not a number.
    webSocketOnly: This address is for WebSockets only.
    noWebSocket: There is no WebSocket here: use {path}.
    webSocketMethod: A WebSocket is opened with GET and HTTP/1.1.
    webSocketVersion: This server supports WebSockets of version 13.
    webSocketKey: The WebSocket's key is not 16 bytes in Base64.
    webSocketSubprotocol: The WebSocket's subprotocol is not {name}.
    noPages: The pages of the live app are missing; install Kinema again.
    tooManyListeners: {limit} clients receive events already: close one of them.

    # Live sessions.
    busy: The server has reached its limit of sessions.
    serverEnds: The server is ending.
    serverFull: The server is at its limit (sessions: {sessions}), and many wait: try again \
    later.
    cannotBegin: The session cannot begin: try again later.
    resumedElsewhere: The session was resumed by another connection.
    tooManyErrors: {count} messages in a row were not understood; the last: {reason}
    noStart: No start came within {seconds} seconds: send it first.
    frameFirst: The first message is not start: send it before frames.
    notStart: The first message is not start: send it before all others.
    startedAlready: The session has already started: send configure or source.
    messageNotJSON: The message is not JSON: send an object with a “type”.
    missingMember: {place} is missing: add it to the message.
    wrongKind: {place} is of the wrong kind: see the description of the interface.
    badMember: {place} is not understood: {reason}
    notFrame: A binary message is not a frame: start it with KFR1, number and time.
    badFrameTime: The time of picture {number} is not a number: give milliseconds.
    manyScans: Picture {number} has more than {limit} scans, which take too long to decode: \
    encode it as a baseline JPEG.
    noJoint: ignoredJoints names “{name}”, which is not a joint: use names such as leftWrist.
    badThreshold: confidenceThreshold is {value}: give a number from 0 to 1.
    badStride: stride is {value}: give a number of frames from 1 to 1000.
    badPersonCount: maximumPersonCount is {value}: give a number from 1 to {limit}.
    largePicture: A picture has {bytes} bytes: send at most {limit}.
    recordingForbidden: This server keeps no videos: start it with recording allowed.
    noLiveModel: There is no model “{id}”: choose another.
    noSource: There is no source “{id}”: choose another.
    noEvent: The log has no such event or picture: “{id}”.
    badAreas: {fault}
    badSource: {fault}
    noCameraSearch: Cameras are searched where the server watches a file: kinema live --sources FILE.
    searching: Cameras are being searched: try again in some seconds.
    noPicture: {source} has no picture yet: try again in a moment.
    notInView: Person {person} is not in view: choose a person who is.
    challengeItems: A challenge of {count} actions cannot begin: give it 1 to {limit}.
    challengeSets: A challenge of {count} sets cannot begin: give it {limit} at most.
    itemLabel: The label of item {item} of the challenge has {count} characters: give it 1 to \
    {limit}.
    itemSets: Give item {item} of the challenge 1 to {sets} sets, up to {rest} seconds of rest \
    and a weight up to {weight} kg, or none.
    itemRepetitions: The repetitions of item {item} of the challenge are {value}: give 1 to \
    {limit}.
    itemSeconds: The seconds of item {item} of the challenge are {value}: give more than 0 and \
    at most {limit}.
    itemTarget: Give item {item} of the challenge either repetitions or seconds, and not both.
    challengeLabel: The model has no label “{label}”: choose among {labels}.

    # Profiles, routines, models and the history.
    badName: The name cannot be used: give 1 to {limit} characters on one line.
    tooManyProfiles: There are {limit} profiles: delete one first.
    noProfile: There is no profile {id}: it may have been deleted; choose another.
    profileExists: There is a profile “{name}”: give another name.
    tooManyRoutines: There are {limit} routines: delete one first.
    routineExists: There is a routine “{name}”: save again to replace it, or give another name.
    noRoutine: There is no routine “{name}”: it may have been deleted.
    routineNotSaved: The routine cannot be saved: {reason}
    badRoutines: {file} cannot be read: mend it or move it elsewhere.
    tooManyModels: There are {limit} uploaded models: delete one first.
    builtInModel: The model {name} was not uploaded: it cannot be deleted.
    unusableModel: “{file}” cannot be used as a model ({reason}).
    modelWithoutName: The model has no name: give it as ?name=squats.mlmodel.
    unknownModel: There is no model {name}: Kinema has {names}; take {nearest}, or give the path \
    of a .mlmodel file.
    largeModel: “{file}” has {megabytes} MB: at most {limit} are taken.
    noSession: There is no session {id} in the history: it may have been deleted.
    badFormat: The format is not known: give csv or json.
    badProfile: profile is not a profile's number: give one, or “none”.
    badRecording: “{file}” cannot be a recording's name: give that of a file in the folder of \
    recordings.
    noRecording: There is no recording of session {id}.
    noDemonstration: There is no demonstration of {label}: give a label of a built-in model.
    notDeleted: {file} cannot be deleted ({reason}): check the permissions of its folder.
    noHistoryFolder: The folder {folder} cannot be created ({reason}): choose another.
    historyFolder: Kinema cannot {verb} the folder {folder} ({reason}): check its permissions \
    and free space, or choose another.
    historyFolderInUse: The folder {folder} is in use by another kinema: end that one or choose \
    another folder.
    historyStuck: The history {file} is damaged and cannot be moved aside ({reason}): move it \
    yourself, or choose another folder.
    notHistory: The database {file} is not a history of Kinema's: move it away or choose another \
    folder.
    newerHistory: The history {file} was written by a newer Kinema (version {version} of its \
    tables): install that, or choose another folder.
    historyFull: The history {file} has no room to grow ({reason}): free space on its disk; \
    saved sessions are preserved.
    historyReadOnly: The history {file} cannot be written ({reason}): check the permissions of \
    its folder.
    historyInUse: The history {file} is in use by another program ({reason}): end that program \
    and try again.
    historyDamaged: The history {file} is damaged ({reason}): start Kinema again; it is moved \
    aside and a new one is created.
    historyUnreadable: The history {file} cannot be read or written ({reason}): check its disk; \
    saved sessions are preserved.
    historyUnusable: The history {file} cannot be used ({reason}): report this as a bug of \
    Kinema.
    historyReplaced: The history {file} was deleted or replaced while it is in use: nothing is \
    saved until Kinema is started again.
    """
}
