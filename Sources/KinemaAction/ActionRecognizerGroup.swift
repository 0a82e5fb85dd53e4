public import Foundation
public import KinemaPose

/// Says what each of several hands, or people, does: an ``ActionRecognizer`` for each.
///
/// Windows of which too few frames show the hand are left out.
public struct ActionRecognizerGroup: Sendable {
  /// How long a hand that is not seen is waited for, in seconds, before its windows end.
  public static let memory = 1.0

  private struct Member {
    var recognizer: ActionRecognizer
    var lastTime: TimeInterval
  }

  private let recognizer: ActionRecognizer
  private var members: [Int: Member] = [:]

  /// Creates a group without members.
  ///
  /// - Parameter recognizer: What each member begins with, without any frames.
  public init(_ recognizer: ActionRecognizer) {
    self.recognizer = recognizer
  }

  /// Takes the next frame.
  ///
  /// - Parameters:
  ///   - poses: The poses of all hands; those without an id count by their place in the list.
  ///   - time: The presentation time in seconds; later than that of the frame before.
  /// - Returns: A prediction for each window that the frame completes, by id.
  /// - Throws: ``ActionError`` where the model cannot be run.
  public mutating func add(
    _ poses: [Pose], at time: TimeInterval
  ) throws -> [ActionPrediction] {
    var predictions: [ActionPrediction] = []
    var present: [Int: Pose] = [:]
    for (index, pose) in poses.enumerated() { present[pose.personID ?? index + 1] = pose }
    for id in Set(members.keys).union(present.keys).sorted() {
      var member = members[id] ?? Member(recognizer: recognizer, lastTime: time)
      if present[id] != nil { member.lastTime = time }
      if time - member.lastTime > Self.memory {
        members[id] = nil
        predictions += Self.told(try member.recognizer.finish(), of: id)
      } else {
        predictions += Self.told(try member.recognizer.add(present[id], at: time), of: id)
        members[id] = member
      }
    }
    return predictions
  }

  /// Ends the windows of all, by id.
  public mutating func finish() throws -> [ActionPrediction] {
    defer { members = [:] }
    return try members.sorted { $0.key < $1.key }.flatMap { id, member in
      var recognizer = member.recognizer
      return Self.told(try recognizer.finish(), of: id)
    }
  }

  private static func told(_ predictions: [ActionPrediction], of id: Int) -> [ActionPrediction] {
    predictions.filter { $0.status != .noPerson }.map { prediction in
      var prediction = prediction
      prediction.personID = id
      return prediction
    }
  }
}
