public import KinemaModelFiles

/// Why a model could not be loaded, used or written: the errors of its file, and those of its use.
public typealias ActionError = ModelFileError
