package import KinemaPose
package import KinemaSynth

extension SyntheticSession {
  /// The exact poses from 0 to the session's end.
  package func poses(
    frameRate: Double, from viewpoint: Viewpoint, aspectRatio: Float
  ) -> [PoseSequence.Frame] {
    (0..<frameCount(frameRate: frameRate)).map { index in
      let time = Double(index) / frameRate
      let pose = viewpoint.pose(of: skeleton(at: time), aspectRatio: aspectRatio)
      return PoseSequence.Frame(time: time, poses: [pose])
    }
  }

  /// The repetitions of all motions.
  package var repetitionCount: Int { segments.reduce(0) { $0 + $1.repetitions.count } }
}
