import Foundation
import Kinema
import KinemaCoach
import KinemaFiles
import KinemaServer

/// The answers of a job for frames: the people in each, what they do, how often, and the form of repetitions
/// that have ended.
struct WatchedFrames {
  private(set) var count = 0
  private let answers: WorkerAnswers
  private var coach = LiveCoach()

  init(_ answers: WorkerAnswers) { self.answers = answers }

  /// Sends the next frame.
  ///
  /// - Parameter seconds: How long finding the poses took, where that is known.
  mutating func send(
    _ step: SceneAnalysis.Step, _ scene: SceneAnalysis, at time: Double, aspectRatio: Float?,
    seconds: Double? = nil
  ) throws {
    coach.succeed(step.successions)
    let measured = coach.add(
      step.prominent, of: scene.prominentID, counter: scene[scene.prominentID]?.counter, at: time,
      aspectRatio: aspectRatio ?? 1)
    let more: JSONObject = [
      "form": measured.isEmpty ? nil : measured.map(\.json), "seconds": seconds,
    ]
    answers.send(frame: try Self.frame(step, scene, more, index: count, at: time))
    count += 1
  }

  private static func frame(
    _ step: SceneAnalysis.Step, _ scene: SceneAnalysis, _ more: JSONObject, index: Int,
    at time: Double
  ) throws -> Data {
    let prominent = step.prominent?.personID
    let others: JSONObject? =
      scene.scope == .everybody
      ? ["everybody": scene.personIDs.map { figures(of: $0, in: scene, person: $0) }] : nil
    let own = figures(of: prominent ?? scene.prominentID, in: scene, prominent: prominent)
    // One object of several, whose members have different names.
    let parts =
      [
        PoseSequence.Frame(time: time, poses: step.poses).jsonLine(index: index),
        try own.jsonText(isPretty: false).dropLast(),
      ]
      + (try [others, more].compactMap(\.self).map { try $0.jsonText(isPretty: false).dropLast() })
    let members = parts.map { $0.dropFirst().dropLast() }.filter { !$0.isEmpty }
    return Data("{".utf8) + members.joined(separator: Data(",".utf8)) + Data("}".utf8)
  }

  private static func figures(
    of id: Int?, in scene: SceneAnalysis, person: Int? = nil, prominent: Int?? = nil
  ) -> JSONObject {
    let analysis = scene[id]
    let action = analysis?.prediction.map { ClassificationReport.Window($0).json }
    return [
      "person": person, "prominent": prominent.map { JSONObject.orNull($0) },
      "action": JSONObject.orNull(action),
      "count": analysis?.counter == nil ? nil : analysis?.count,
      "counts": analysis?.counter?.counts,
      "activity": analysis?.activity?.rawValue,
      "set": analysis?.set.map { set -> JSONObject in
        [
          "id": set.id, "label": JSONObject.orNull(set.action), "kind": set.kind.rawValue,
          "repetitions": set.repetitions, "seconds": max(0, set.end - set.start),
        ]
      },
    ]
  }
}

extension MeasuredRepetition {
  /// The repetition with its form: angles of `joint` in degrees, phases in seconds.
  fileprivate var json: JSONObject {
    [
      "exercise": label, "start": start, "end": end, "verdict": verdict.rawValue,
      "cue": JSONObject.orNull(cue), "say": JSONObject.orNull(say), "view": view?.rawValue,
      "joint": values.joint?.rawValue, "bottom": values.bottom?.rounded(toPlaces: 1),
      "top": values.top?.rounded(toPlaces: 1), "range": values.range?.rounded(toPlaces: 1),
      "down": values.down?.rounded(toPlaces: 2), "hold": values.hold?.rounded(toPlaces: 2),
      "up": values.up?.rounded(toPlaces: 2),
    ]
  }
}
