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
    tooManyListeners: {limit} clients receive events already: close one of them.

    # Live sessions.
    busy: The server has reached its limit of sessions.
    serverEnds: The server is ending.
    serverFull: The server is at its limit (sessions: {sessions}), and many wait: try again \
    later.
    cannotBegin: The session cannot begin: try again later.
    resumedElsewhere: The session was resumed by another connection.
    tooManyErrors: {count} messages in a row were not understood; the last: {reason}
    largePicture: A picture has {bytes} bytes: send at most {limit}.
    recordingForbidden: This server keeps no videos: start it with recording allowed.
    noLiveModel: There is no model “{id}”: choose another.
    noSource: There is no source “{id}”: choose another.
    noPicture: {source} has no picture yet: try again in a moment.
    notInView: Person {person} is not in view: choose a person who is.
    challengeItems: A challenge of {count} actions cannot begin: give it 1 to {limit}.
    challengeSets: A challenge of {count} sets cannot begin: give it {limit} at most.
    challengeLabel: The model has no label “{label}”: choose among {labels}.

    # Profiles, routines, models and the history.
    badName: The name cannot be used: give 1 to {limit} characters on one line.
    tooManyProfiles: There are {limit} profiles: delete one first.
    noProfile: There is no profile {id}: it may have been deleted; choose another.
    profileExists: There is a profile “{name}”: give another name.
    tooManyRoutines: There are {limit} routines: delete one first.
    noRoutine: There is no routine “{name}”: it may have been deleted.
    badRoutines: {file} cannot be read: mend it or move it elsewhere.
    tooManyModels: There are {limit} uploaded models: delete one first.
    builtInModel: The model {name} was not uploaded: it cannot be deleted.
    unusableModel: “{file}” cannot be used as a model ({reason}).
    notModel: “{file}” is {what}, not a model for actions.
    largeModel: “{file}” has {megabytes} MB: at most {limit} are taken.
    noSession: There is no session {id} in the history: it may have been deleted.
    noRecording: There is no recording of session {id}.
    notDeleted: {file} cannot be deleted ({reason}): check the permissions of its folder.
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
