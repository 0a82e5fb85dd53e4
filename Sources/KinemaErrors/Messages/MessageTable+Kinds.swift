extension MessageTable {
  /// The kinds of files that may be in the place of others, and what to do with one.
  static let kinds = """
    foreignFile: {file} is {kind}, not {expected}: {remedy}

    expected.media: a video or picture that can be read
    expected.poses: a pose file of Kinema
    expected.model: an action classifier as .mlmodel, .mlpackage or Kinema's own .onnx
    expected.table: an annotation file that can be read

    kind.gitLFS: a Git LFS pointer
    kind.heic: a HEIC picture
    kind.picture: a picture
    kind.video: a video
    kind.sound: a sound file
    kind.openPose: a pose file of OpenPose
    kind.mediaPipe: a file of MediaPipe landmarks
    kind.alphaPose: a pose file of AlphaPose, or COCO's keypoint results
    kind.mmPose: a pose file of MMPose
    kind.deepLabCut: a pose file of DeepLabCut
    kind.sleap: a pose file of SLEAP
    kind.c3d: a C3D motion capture file
    kind.bvh: a BVH motion capture file
    kind.trc: a TRC marker file
    kind.numPyArray: a NumPy array
    kind.coreML: a Core ML model
    kind.compiledCoreML: a compiled Core ML model
    kind.savedModel: a SavedModel of TensorFlow
    kind.onnx: an ONNX model
    kind.pyTorch: a PyTorch model
    kind.tensorFlowLite: a TensorFlow Lite model
    kind.keras: a Keras model
    kind.tensorFlowJS: a TensorFlow.js model
    kind.pickle: a Python pickle
    kind.elan: an ELAN annotation file
    kind.boris: a BORIS file
    kind.via: a file of the VGG Image Annotator (VIA)
    kind.cvat: a CVAT file
    kind.coco: a COCO file
    kind.activityNet: an annotation file of ActivityNet
    kind.kinetics: a list of Kinetics
    kind.labelbox: a Labelbox export
    kind.labelMe: a LabelMe file
    kind.textGrid: a Praat TextGrid
    kind.subtitles: a subtitle file
    kind.spreadsheet: a spreadsheet
    kind.parquet: a Parquet or Arrow file
    kind.hdf5: an HDF5 file
    kind.matlab: a MATLAB file
    kind.numPyArchive: a NumPy archive
    kind.zip: a ZIP archive
    kind.archive: a compressed archive
    kind.pdf: a PDF
    kind.database: an SQLite database
    kind.webPage: a web page
    kind.xml: an XML file
    kind.json: a JSON file

    remedy.gitLFS: fetch the file itself with “git lfs pull”.
    remedy.heic: check which file was meant.
    remedy.picture: check which file was meant.
    remedy.video: check which file was meant.
    remedy.sound: check which file was meant.
    remedy.openPose: write it as .npz with “kinema pose”.
    remedy.mediaPipe: give the video itself, or its poses as .npz or .jsonl.
    remedy.alphaPose: write it as .npz with “kinema pose”.
    remedy.mmPose: write it as .npz with “kinema pose”.
    remedy.deepLabCut: give the video itself, or its poses as .npz or .jsonl.
    remedy.sleap: give the video itself, or its poses as .npz or .jsonl.
    remedy.c3d: give a video of the person, or poses as .npz or .jsonl.
    remedy.bvh: give a video of the person, or poses as .npz or .jsonl.
    remedy.trc: write it as .npz with “kinema pose”.
    remedy.numPyArray: save poses and times together as .npz.
    remedy.coreML: name it as the model.
    remedy.compiledCoreML: Xcode makes it of a model when it builds an app, and it cannot be turned back; give the \
    .mlmodel or .mlpackage from the app's project, or export it again from Create ML (Output, Get).
    remedy.savedModel: models are read as .mlmodel or .mlpackage, as Kinema and Create ML write them.
    remedy.onnx: give the .mlmodel that it was made from.
    remedy.pyTorch: models are read as .mlmodel or .mlpackage, as Kinema and Create ML write them.
    remedy.tensorFlowLite: models are read as .mlmodel or .mlpackage, as Kinema and Create ML \
    write them.
    remedy.keras: models are read as .mlmodel or .mlpackage, as Kinema and Create ML write them.
    remedy.tensorFlowJS: models are read as .mlmodel or .mlpackage, as Kinema and Create ML \
    write them.
    remedy.pickle: pickles can run code and are not opened; save a skeleton annotation of MMAction with \
    numpy.savez("poses.npz", **annotation), and a model as .mlmodel.
    remedy.elan: give it together with its video as data for training.
    remedy.boris: give the project, or its aggregated events, together with the videos as data for training.
    remedy.via: save the project of VIA 3 as JSON, and give it together with the videos as data for training.
    remedy.cvat: export “CVAT for video 1.1”, and give it together with the video as data for training.
    remedy.coco: write a CSV with file_name, label, start_time and end_time.
    remedy.activityNet: give it together with the videos as data for training.
    remedy.kinetics: give it together with the videos as data for training.
    remedy.labelbox: write a CSV with file_name, label, start_time and end_time.
    remedy.labelMe: write a CSV with file_name, label, start_time and end_time.
    remedy.textGrid: write a CSV with file_name, label, start_time and end_time.
    remedy.subtitles: write a CSV with file_name, label, start_time and end_time.
    remedy.spreadsheet: save it as “CSV UTF-8”.
    remedy.parquet: save its content in a format that is read here.
    remedy.hdf5: save its content in a format that is read here.
    remedy.matlab: save its content in a format that is read here.
    remedy.numPyArchive: if it holds poses, name it as a pose file.
    remedy.zip: unpack it first.
    remedy.archive: unpack it first.
    remedy.pdf: check which file was meant.
    remedy.database: check which file was meant.
    remedy.webPage: download the file itself; this is a page about it, or an error.
    remedy.xml: check which file was meant.
    remedy.json: check which file was meant.
    """
}
