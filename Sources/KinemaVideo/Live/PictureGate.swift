/// Decides which pictures of a live source are wanted; asked on the source's thread, which it must not block.
package protocol PictureGate: AnyObject, Sendable {
  /// Whether few pictures are wanted: those that no other one needs may be left undecoded.
  var wantsFewPictures: Bool { get }

  /// Whether the edges of blocks may be left unsmoothed in pictures.
  var mayBeRough: Bool { get }

  /// The first time, in seconds of the source, of which a picture can be wanted.
  var nextTime: Double { get }

  /// Whether a picture of a time in seconds of the source can be wanted, before it is decoded.
  func mayWant(at time: Double) -> Bool

  /// Whether a decoded picture becomes a frame; each is asked for once, in order.
  ///
  /// - Parameter grid: Gives the brightness of the picture as the frame would show it, before it is stabilized.
  func wants(at time: Double, grid: () -> LumaGrid?) -> Bool

  /// Notes the processor time for reading and decoding, in seconds.
  func addReading(seconds: Double)
}
