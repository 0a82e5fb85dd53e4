import KinemaNetwork

extension ActionClassifier {
  /// The version of the oneDNN library that is linked.
  public static var libraryVersion: String { Network.libraryVersion }
}
