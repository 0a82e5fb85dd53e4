@_exported public import KinemaRandom
