extension AnchorDetector.Design {
  /// MediaPipe's palm detector (`palm_detection_full.tflite`), with the constants of its
  /// `palm_detection_cpu` and `palm_detection_detection_to_roi` graphs.
  ///
  /// The points are the wrist, index, middle, ring and little finger at the palm, the thumb at the
  /// wrist and at the palm; the region is the box, fingers up, shifted towards them and enlarged.
  package static let palms = AnchorDetector.Design(
    side: 192, range: 0...1, layers: [(8, 2), (16, 6)], pointCount: 7
  ) { points in
    Region(
      boxCenter: (points[0] + points[1]) / 2, boxSize: points[1] - points[0],
      angle: Region.angle(bringingUp: points[2], to: points[4]), shift: 0.5, scale: 2.6)
  }
}
