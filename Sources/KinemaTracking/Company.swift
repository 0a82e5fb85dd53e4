/// How many people there certainly are, which decides how detections are assigned.
package enum Company: Sendable {
  /// Nobody is reported: who appears can be confused with nobody.
  case nobody
  /// One person is: a detection belongs to the track in whose region it is.
  case one
  /// Several people are: each detection belongs to the track that is most like it.
  case several
}
