"""What the server reports that a reader of the pages hardly meets, and that stays English in every language.

Everything else that the server reports has a text in every language: a new sentence is translated, or listed here.
"""

# The kinds of files that may be in the place of others, and what tools call their formats.
FAMILIES = ("kind.", "remedy.", "expected.", "format.", "pickled.")

GROUPS = {
    "what only other programs send": """
        wrongHost wrongOrigin nothingHere tooSlow noHost badPath pathCharacters pathDots badPercent headCharacters
        badRequestLine badMethod otherMethod wrongMethod largeHead tooManyHeaders badHeader twoHeaders chunkedBody
        badLength webSocketOnly noWebSocket webSocketMethod webSocketVersion webSocketKey webSocketSubprotocol
        tooManyListeners tooManyErrors noStart frameFirst notStart startedAlready messageNotJSON missingMember wrongKind
        badMember notFrame badFrameTime manyScans noJoint badThreshold badStride badPersonCount largePicture
        challengeItems itemLabel itemSets itemRepetitions itemSeconds itemTarget builtInModel modelWithoutName
        badFormat badProfile badRecording noDemonstration longText wrongNetwork largeSeed badSize lastRun badBody
        badValue longChunk emptyChunk noDeletedProject notOffered noFolders projectElsewhere badSource noCameraSearch
    """,
    "what is only a frame for another sentence": "badAreas badData noLayout badParameters missingPart",
    "what ends the server at its start, or is only said in a terminal": """
        noPages noHistoryFolder historyFolder historyFolderInUse historyStuck notHistory newerHistory historyUnusable
        unknownModel noThread noSandbox pipeEmpty pipeTooLong pipeWithoutRoom noPixelSize noFrameSize assumedFrameRate
        deviceFailed markersFromFront folderNotVideo deviceNotVideo fileNotFolder nothingThere notAFile noProjectFile
    """,
    "parameters that the pages keep within their limits": """
        badWindow badFrameRate badIterations badBatchSize badValidation badNetwork badStart notSyntheticLabels
        noSyntheticHands badCheckpoint badSingleFrame
    """,
    "annotation files, folders of data and pose files that other tools have written": """
        emptyTable largeTable manyRows manyBytes missingColumn unclearTime folderNotTable longRow invalidJSON notJSON
        notOfFormat badMarkup severalTracks cvatImages pointEvents severalMedia openState notRepetitionTable badEntry
        notAnnotationList noAnnotations severalTables noVideos picturesNotVideos noPictures picturesAndVideos
        ignoredBesidePictures noNegativePose smallPictureClass noHand noHandInClip noLabelFolders noLabelledFiles
        namesNoFile namesNoLabel namesNoSet unknownSet controlCharacter badTime notFrameNumber resultNotJSON
        segmentWithoutTimes entryWithoutLabels notInFolder severalFiles sharedFile startsBeforeVideo startsBeforeFrame
        endsBeforeStart endsBeforeFrame endsBeforeVideo emptySegment ignoredFolder besideFolders ignoredFiles
        unusableNames unlabelledFiles setsNotLabels mixedSets setWithoutLabels setInLabel noTrainingRows noTrainingSet
        mixedJoints notUTF8 largeRow openQuotation noColumns badRowTime rowWithoutFile rowWithoutLabel illegibleName
        foreignFile noHEICDecoder damagedHEIC largeHEIC largeAnimation longAnimation notPoseFile damagedPoses
        pickledPoses notPoses badPoseLine
    """,
    "files of a project that something else has changed": "badProjectFile otherVersion badRun",
}
RARE = {f"error.{name}" for names in GROUPS.values() for name in names.split()}


def is_rare(key):
    """Whether a sentence, by its key on the pages, may stay English."""
    return key in RARE or key.startswith(FAMILIES)
