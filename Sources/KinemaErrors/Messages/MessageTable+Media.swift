extension MessageTable {
  /// What is reported of files, videos, live sources and poses.
  static let media = """
    # Files.
    fileGone: There is no file at {file}: check the path.
    unreadableFile: {file} cannot be read: check that it is there and its permissions.
    brokenFile: {file} cannot be read ({reason}): copy it again and check its permissions.
    noFolder: There is no folder at {folder}: check the path.
    unreadableFolder: The folder {folder} cannot be read: check its permissions.
    fileNotFolder: {file} is a file, not a folder: name its folder.
    nothingThere: There is no folder and no annotation file at {path}: check the path.
    notUTF8: {file} is not text in UTF-8: save it again as UTF-8, or as “CSV UTF-8”.
    largeRow: {file}, row {row} is too long: check that it is a table with a line for each row.
    openQuotation: {file}, row {row}: a quotation mark is opened and never closed; close it, or \
    double it where it belongs to the text.
    diskFull: {file} cannot be written ({reason}): make room or write elsewhere.
    folderGone: {file} cannot be written ({reason}): create the folder {folder} first.
    readOnly: {file} cannot be written: check the permissions of its folder or write elsewhere.
    notAFile: {file} cannot be written ({reason}): give the name of a file.
    unwritable: {file} cannot be written ({reason}): check {folder} or write elsewhere.
    noMemory: There is not enough memory: close other programs.
    noThread: No thread could be started: close other programs or raise the limit on processes.

    # Videos.
    folderNotVideo: {file} is a folder, not a video or picture: name a file in it.
    deviceNotVideo: {file} is a device or pipe, not a video: save its content to a file first.
    emptyFile: {file} is empty: copy or record it again.
    slowFile: {file} takes too long to open, so it is probably damaged: copy or convert it \
    again.
    cutOffFile: {file} is cut off or damaged, its index (the moov atom) is missing, as after an \
    interrupted recording or copy: copy or record it again.
    changedFile: {file} was changed or cut off while it was read: wait until it is written, and \
    start again.
    notVideo: {file} is damaged or not a video or picture that can be read: give an mp4, mov, \
    mkv, webm, avi or gif file, or a JPEG or PNG picture.
    stillPicture: {file} is a still picture, not a video: give an mp4, mov, mkv, webm, avi or \
    gif file.
    noHEICDecoder: {file} is a HEIC picture, and libheif, which decodes it, is not installed: install it \
    (apt install libheif1), or convert the picture to JPEG (heif-convert photo.heic photo.jpg).
    damagedHEIC: {file} cannot be decoded as a HEIC picture ({reason}), it is probably damaged: copy it \
    again, or convert it to JPEG.
    largeHEIC: {file} is too large to be decoded as a HEIC picture ({reason}): scale it down first.
    largeAnimation: {file} is an animation of more than {megabytes} MB: convert it to MP4.
    longAnimation: {file} has more than {frames} frames: convert it to MP4.
    onlySound: {file} holds sound but no video: give a file with a video track.
    noVideoTrack: {file} has no video track, or one that is cut off or damaged: copy or record \
    it again.
    nothingDecoded: {file} holds no picture that can be decoded, it is damaged or cut off: copy \
    or record it again.
    largePictures: The pictures of {file} are {width} × {height} pixels, above the limit of \
    {side} a side, {pixels} in all and 512 MB in a decoder: scale it down first.
    noDecoder: The video of {file} is coded as {codec}, which is not decoded: convert it to H.264 \
    first.
    damagedVideo: The video track of {file} cannot be decoded ({reason}), it is probably \
    damaged: copy or record it again.
    decoderDied: {file} cannot be read, the process that tried ended ({reason}): it is damaged, or \
    made to do harm.
    noSandbox: Files are decoded in a sandbox, which this machine cannot set up ({reason}): allow \
    seccomp, or start the server with --no-sandbox.
    noProcess: No process can be started ({reason}): end other work, and try again.
    damagedParts: {file} is damaged or cut off: parts of it are left out.

    # Poses and what finds them.
    notPoseFile: {file} is not a pose file: poses are read from .npz and .jsonl files, and from those of \
    OpenPose, AlphaPose, MMPose, COCO, MediaPipe (as a table), NTU RGB+D, MMAction (.npz) and motion capture \
    (.trc).
    damagedPoses: {file} cannot be read as {format}: {reason}; write it again with the tool that made it.
    format.openPose: poses of OpenPose
    format.alphaPose: poses of AlphaPose, or COCO's keypoint results
    format.mmPose: predictions of MMPose
    format.coco: keypoints of COCO
    format.kinect: Kinect's joints of NTU RGB+D
    format.table: a table of poses
    format.markers: markers (.trc)
    format.mmAction: a skeleton annotation of MMAction
    format.human36M: joints of Human3.6M
    pickledPoses: {file} holds Python objects (a pickle), which Kinema does not open because they can run \
    code: {pickled}
    pickled.mmAction: save the annotation as arrays of numbers in Python, numpy.savez("poses.npz", \
    keypoint=a["keypoint"], keypoint_score=a["keypoint_score"], img_shape=a["img_shape"]).
    pickled.human36M: save one of its sequences as an array of numbers in Python, numpy.savez("walk.npz", \
    positions_2d=numpy.load("data_2d_h36m_gt.npz", allow_pickle=True)["positions_2d"].item()["S1"]["Walking"][0]), \
    and read that with --size 1000x1000 --fps 50.
    noPixelSize: {file} has places in pixels, but not the size of its pictures: name it with --size, such as \
    --size 1920x1080.
    assumedFrameRate: It has no times, so {rate} frames a second are assumed: name another rate with --fps.
    markersFromFront: Its markers are projected to a picture as seen from the front, without their depth.
    notPoses: {file} is not a pose file: {reason}
    badPoseLine: Line {line} of {file} is not a frame of poses: extract it again.
    noFrames: {file} has no frames.
    noFrameSize: The size of its pictures is not known, so they are taken for squares and angles \
    may be wrong: name it with --size, such as --size 1920x1080.
    otherJoints: {file} has other joints than the rest: hands and bodies are trained separately.
    fullPoses: {file} cannot be written: make room there, and check its permissions.
    partMissing: {part} is missing: install Kinema again, or run `kinema doctor`.
    unusablePart: {part} cannot be used: install Kinema again, or run `kinema doctor`.
    inferenceFailed: The network could not be run ({reason}).
    deviceFailed: The networks cannot be compiled for the device {device} ({reason}): update its driver, \
    or use --device CPU.

    # Sources of the server.
    sourceConnects: {source} is connecting.
    sourceReconnects: {source} is reconnecting.
    sourceLive: {source} is live.
    sourceSilent: {source} is open, but has sent no picture for a while.
    sourceEnded: {source} has ended: it is opened again.
    sourceStopped: {source} has stopped ({reason}): check that it runs{then}.
    sourceFailed: {source} has failed ({reason}): it is opened again.
    sourceSentNothing: {source} has sent no picture for {time}: check that it runs{then}.
    sourceWithoutPicture: {source} has ended before its first picture: check that it runs{then}.
    sourceTimedOut: {source} has not answered within {time}: check that it runs{then}.
    cameraMissing: {source} is not there: plug it in or choose another{then}.
    sourceMissing: {source} is not there: check its address{then}.
    sourceInUse: {source} is used by another program: close that one{then}.
    sourceForbidden: {source} may not be opened: check its permissions{then}.
    sourceWithoutVideo: {source} sends no video: check what it sends{then}.
    sourceUndecodable: {source} sends video that the installed FFmpeg cannot decode: set it to \
    H.264{then}.
    sourceNotVideo: {source} sends data that is not video: check what it sends{then}.
    sourceUnopened: {source} cannot be opened ({reason}): check that it runs{then}.
    then.retry: ; it is tried again
    pipeEmpty: {source} has ended without a byte: check the program that writes into it.
    pipeTooLong: {source} is an MP4 file with its index at the end and more than {gigabytes} GB: name \
    the file itself, or move its index to the front (ffmpeg -movflags faststart).
    pipeWithoutRoom: {source} is an MP4 file with its index at the end, and there is no room for \
    a copy in the temporary folder: make room, or set TMPDIR to another folder.
    """
}
