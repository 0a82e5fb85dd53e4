@_exported public import KinemaAction
@_exported public import KinemaOverlay
@_exported public import KinemaPose
@_exported public import KinemaStreams
@_exported public import KinemaTraining
@_exported public import KinemaVideo
@_exported public import KinemaVision
