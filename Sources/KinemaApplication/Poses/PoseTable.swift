import Kinema
import KinemaFiles

/// Poses as comma-separated values, a row a joint; hands have their side in a last column.
struct PoseTable {
  let joints: [JointKey]

  var header: String {
    "frame,time,person,joint,x,y,confidence" + (joints == JointKey.hand ? ",hand\n" : "\n")
  }

  func rows(of frame: PoseSequence.Frame, index: Int) -> String {
    let isOfHands = joints == JointKey.hand
    var text = ""
    for (number, pose) in frame.poses.enumerated() {
      let side = isOfHands ? [pose.chirality?.rawValue ?? ""] : []
      for key in joints {
        guard let point = pose.keypoints[key] else { continue }
        text += CSV.line(
          [
            "\(index)", "\(frame.time)", "\(pose.personID ?? number + 1)", key.rawValue,
            "\(point.position.x)", "\(point.position.y)", "\(point.confidence)",
          ] + side)
      }
    }
    return text
  }
}
