extension AnchorDetector.Design {
  /// BlazePose's detector (`pose_detection.tflite`), with the constants of MediaPipe's
  /// `pose_detection_cpu` graph.
  ///
  /// The box is around the face; the first two of four points are the mid-point of the hips and a
  /// point on the circle around the body.
  static let people = AnchorDetector.Design(
    side: 224, range: -1...1, layers: [(8, 2), (16, 2), (32, 6)], pointCount: 4
  ) { Region(hips: $0[2], tip: $0[3]) }

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
