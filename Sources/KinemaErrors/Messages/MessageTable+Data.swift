extension MessageTable {
  /// What is reported of labelled data and trainings.
  static let data = """
    # Parameters.
    badWindow: A window has 1 to 2000 frames, not {value}: change action duration or frame rate.
    badFrameRate: The frame rate is 1 to 240 frames per second, not {value}.
    badIterations: The number of iterations is 1 to 100000, not {value}.
    badBatchSize: The batch size is 1 to 4096, not {value}.
    badValidation: The share for validation is above 0 and below 1, not {value}.

    # Trainings and evaluations.
    noExamples: There are no clips to learn from.
    oneClass: All clips are labelled “{label}”: give at least two labels, such as one for \
    everything else.
    noWindow: No clip of “{label}” has a person in enough frames of a window of {seconds} s: \
    add longer clips, or shorten the window.
    unknownLabel: {file} is labelled “{label}”, which is not a label of the training clips: \
    correct the label, or add training clips with it.
    unknownLabels: The model lacks labels of the clips: {labels}.
    trainingFailed: Training cannot continue ({reason}): lower the learning rate.
    diverged: The training diverged in iteration {iteration}: choose another seed or network.
    badNetwork: The network {algorithm} cannot be trained with these parameters: {reason}
    badStart: A training cannot start from this model ({reason}): take Exercise, or one of \
    Kinema with temporal convolutions, with postures or without, for the same joints.
    notSyntheticLabels: Classes cannot be added to this model: take Exercise.
    noSyntheticHands: Synthetic people show no hands: turn “Add “other”” off.
    badCheckpoint: The state of the training cannot be used: start a new run.
    otherTraining: Another training runs in {folder}: wait for it, or choose another folder.
    nothingToEvaluate: No clip has a frame to evaluate.

    # Annotation files and folders.
    emptyTable: {file} is empty: its first row must name the columns, such as \
    file_name,label,start_time,end_time.
    largeTable: {file} has too many values: split it, or check that each row has the same \
    columns.
    manyRows: {file} has more than {limit} rows: split it.
    manyBytes: {file} is larger than {limit} MiB: split it.
    missingColumn: {file} has no column “{column}” for {use}, only {columns}: rename a column.
    unclearTime: {file} has the column “{column}”, which looks like a time, but it is not clear of \
    what: name it start_time or end_time (in seconds), start_frame or end_frame, or duration, or \
    remove it.
    folderNotTable: {folder} is a folder, not an annotation file: name the CSV or JSON file in it.
    longRow: {place} has {count} values for {columns} columns: put quotation marks round a \
    value that holds a separator.
    invalidJSON: {file} is not valid JSON: check that it is complete, or export it again.
    notJSON: {file} is not JSON: export the labels as JSON.
    notOfFormat: {file} is not of the layout {layout}, or a part of it is missing: leave the layout out, or export it again.
    badMarkup: {file} is no whole XML, or defines entities of its own: export it again.
    severalTracks: {file} has several tiers or attributes ({names}), and it is not clear which has the labels: \
    name one with --columns label=NAME.
    cvatImages: {file} is CVAT's format for images: export “CVAT for video 1.1”.
    pointEvents: {file} has point events ({count}), which last no time and are left out: use state events.
    severalMedia: {place} has several media files, whose times run on: give each an observation of its own.
    openState: {place} has a start of “{name}” without a stop: add it.
    notRepetitionTable: {file} is JSON, not a CSV with the columns type,name,count,L1,L2,….
    badEntry: {file}, entry {entry}, is not an object with file_name and label.
    notAnnotationList: {file} is JSON, but not a list of annotations with file_name, label, \
    start_time and end_time.
    noAnnotations: {file} has no annotation: it needs a row for each segment of a video.
    severalTables: The folder {folder} has several annotation files ({names}): use one of them \
    alone.
    noVideos: The folder {folder} has no videos: it needs a folder for each label \
    (squats/anna.mp4), files named after labels (squats.3.mov), or an annotation file (CSV or \
    JSON).
    picturesNotVideos: The folder {folder} has pictures but no videos: pictures teach single poses of hands, with \
    “kinema train --hands”.
    noPictures: The folder {folder} has no pictures in folders of labels, such as thumbs_up/1.jpg.
    picturesAndVideos: The folder {folder} has pictures ({picture}) and videos or pose files ({video}): train on \
    one kind, as a picture shows a single pose.
    ignoredBesidePictures: {file}{others} in {folder}: not a picture, and ignored.
    noNegativePose: No class stands for “none of the poses”, so the model will report one for every hand: add \
    pictures of hands in other poses, labelled “other”.
    smallPictureClass: “{label}” has {count} {count:picture|pictures} to learn from: give at least {least}, of \
    different hands.
    noHand: {file} shows no hand that is found: take a picture in which the hand is larger.
    noHandInClip: {file} has a hand in hardly any frame: remove it, or record it with the hand larger.
    badSingleFrame: A window of one frame has no motion, which is what the network {algorithm} reads: take posture.
    noLabelFolders: The folder {folder} has no videos in folders of labels, such as \
    squats/anna.mp4.
    noLabelledFiles: The folder {folder} has no videos whose names start with a label, such as \
    squats.3.mov.
    namesNoFile: {place} names no file: fill it in or remove it.
    namesNoLabel: {place} has no label for {file}: fill it in or remove it.
    namesNoSet: {place} names no set for {file}, as other rows do: write train, val or test.
    unknownSet: {place} names the set “{word}”, which is unknown: write train, val or test.
    controlCharacter: {place} has a label with a line break or another control character: \
    remove that.
    badTime: {place} has the time “{time}”: give seconds, such as 12.5, or 0:12.5.
    notFrameNumber: {place} has a value among its repetitions that is not a frame number.
    resultNotJSON: {place} has a result that is not JSON.
    segmentWithoutTimes: {place} has a segment without start and end.
    entryWithoutLabels: {place} has no labels for {file}, which is ignored: label it if it \
    matters.
    notInFolder: {place} names {file}, which is not in {folder}: put it there or correct the \
    name.
    severalFiles: {place} names {file}, which can be several files in {folder} ({names}): write \
    it as the file is named.
    sharedFile: {place} names {file}, for which only {found} is in {folder}, and that is {other} \
    already: write the names as they are below {folder}.
    startsBeforeVideo: {place} ({file}) starts at {start} s, before the video: times count from \
    its start, in seconds.
    startsBeforeFrame: {place} ({file}) starts at frame {start}, before the video: the first \
    frame is number 0.
    endsBeforeStart: {place} ({file}) ends at {end} s, before it starts at {start} s: correct \
    the times.
    endsBeforeFrame: {place} ({file}) ends at frame {end}, before it starts at frame {start}: \
    correct them.
    endsBeforeVideo: {place} ({file}) ends at {end} s, before the video starts: correct the \
    time.
    emptySegment: {place} ({file}) is empty: it starts and ends at {start} s.
    ignoredFolder: The folder {folder} has no video that is used and is ignored.
    besideFolders: {file} is beside the folders of labels and is ignored: move it into the \
    folder of its label.
    ignoredFiles: {file}{others} in {folder}: neither a video nor a pose file, and ignored.

    unusableNames: {file}{others} in {folder}: a name that is not UTF-8 or a link that leads \
    nowhere, and ignored: rename it.
    unlabelledFiles: {file}{others} in {folder}: no row names it, and it is ignored.
    setsNotLabels: The folder {folder} has the sets {names}, which are not labels: use each of \
    them alone.
    mixedSets: The folder {folder} has {names}: keep one folder for each of the sets train, val \
    and test, with folders of labels inside, and no other folder of videos beside them.
    setWithoutLabels: {folder} is one of the sets train, val and test, but has no labels inside: \
    put its videos into folders of labels, such as {name}/squats/anna.mp4.
    setInLabel: The label folder {folder} has a set, {name}, inside: put sets above labels, such \
    as {name}/squats/anna.mp4.
    noTrainingRows: No row is of the training set: its column “split” says val or test everywhere.
    noTrainingSet: There is no folder train beside {names}: add one, or name the folder to train \
    on.

    # What the data check finds.
    noNegativeClass: No class stands for “none of the actions”, so the model will report an \
    action for everything: add clips of people who stand, walk and do other things, labelled \
    “other”.
    smallClass: “{label}” has {count} {count:video|videos} to learn from: give at least \
    {least}, of different people; Apple recommends 50.
    imbalance: “{most}” has {seconds} s of footage, “{least}” only {leastSeconds} s: add to one \
    or remove from the other.
    likeLabels: {labels} are different classes: use one name if they are the same.
    unmatchedClass: “{label}” is among the {set} but not the training clips, so that it will \
    never be recognised: check the label.
    leak: {file} ({set}) is the same video as {other} ({otherSet}): remove one of them, or the \
    model is evaluated on its training clips.
    duplicate: {file} is the same video as {other}: remove one of them.
    doubleLabel: {file}, labelled “{label}”, is the same video as {other}, labelled \
    “{otherLabel}”: the model would learn both for it; remove the wrong one.
    mixedJoints: {file} and {other} have other joints: use poses of bodies only, or of hands \
    only.
    overlap: {place}, “{label}”, overlaps with {other}, “{otherLabel}”: correct the times.
    startsAfterVideo: {place} starts at {start} s, after the end of the video at {length} s: \
    correct the times, or the name of the file.
    endsAfterVideo: {place} ends at {end} s, after the end of the video at {length} s, where it \
    is cut off: check the times.
    noFrame: {place} has no frame of the video, and is ignored.
    shortClip: {file} is shorter ({seconds} s) than the model's window of {window} s.
    shortSegments: {file} has {count} of {total} segments shorter than the model's window of \
    {window} s; the first starts at {start} s.
    nobodyInClip: {file} has a person in hardly any frame: remove it, or record it again.
    nobodyInSegments: {file} has no person in {count} of {total} segments; the first starts at \
    {start} s.
    cutOff: {file} has the body partly outside the frame in {share} of the frames: film from \
    further away.
    severalPeople: {place} shows several people of like size in {share} of its frames, of whom \
    one is taken: cut the video so that one person is in it, if it is the wrong one.
    lowFrameRate: {file} has {rate} frames a second, fewer than the {wanted} of the model: \
    record at a higher rate, or train at a lower one.
    movingCamera: {file} was recorded with a moving camera ({percent} % of the width a second): \
    use a tripod.
    """
}
