public import Foundation
import KinemaFiles

private struct Line: Codable {
  struct Person: Codable {
    let id: Int
    let confidence: Float
    /// Lower left corner, width, height.
    let box: [Float]
    /// x, y, confidence by joint.
    let joints: [JointKey: [Float]]
    /// `left` or `right`, for a hand.
    let hand: Chirality?
  }

  let frame: Int
  let time: TimeInterval
  let persons: [Person]
}

extension PoseSequence.Frame {
  /// The frame as one line of JSON, without the line break.
  ///
  /// `{"frame":0,"time":0.0,"persons":[{"id":1,"confidence":0.97,"box":[x,y,width,height],`
  /// `"joints":{"nose":[x,y,confidence],…}}]}`; hands also have `"hand":"left"` or
  /// `"hand":"right"`.
  public func jsonLine(index: Int) -> Data {
    let persons = poses.enumerated().map { number, pose in
      let box = pose.boundingBox() ?? pose.boundingBox(confidenceThreshold: 0)
      let size = box.map { $0.upperRight - $0.lowerLeft }
      return Line.Person(
        id: pose.personID ?? number + 1, confidence: pose.confidence,
        box: [box?.lowerLeft.x ?? 0, box?.lowerLeft.y ?? 0, size?.x ?? 0, size?.y ?? 0],
        joints: pose.keypoints.mapValues { [$0.position.x, $0.position.y, $0.confidence] },
        hand: pose.chirality)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    // Encoding cannot fail: all values are finite numbers and strings.
    return (try? encoder.encode(Line(frame: index, time: time, persons: persons))) ?? Data()
  }

  init(jsonLine data: Data) throws {
    let line = try JSONDecoder().decode(Line.self, from: data)
    time = line.time
    poses = try line.persons.map { person in
      var pose = Pose(
        from: [:], confidence: person.confidence, personID: person.id, chirality: person.hand)
      for (key, values) in person.joints {
        guard values.count == 3 else {
          throw PoseError(.malformed, "joint \(key.rawValue) has \(values.count) values, not 3")
        }
        pose.keypoints[key] = JointPoint(
          key, position: SIMD2(values[0], values[1]), confidence: values[2])
      }
      return pose
    }
  }
}

extension PoseSequence {
  init(linesAt url: URL) throws {
    let data: Data
    do {
      data = try Data(contentsOf: url, options: .mappedIfSafe)
    } catch {
      throw PoseError(.notFound, "\(url.path) cannot be read; is it there?", cause: error)
    }
    self.init()
    for (index, line) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
      do {
        let frame = try Frame(jsonLine: line)
        guard frame.time.isFinite, frame.time >= frames.last?.time ?? -.infinity else {
          throw PoseError(.malformed, "its time runs backwards")
        }
        frames.append(frame)
      } catch {
        let detail = (error as? PoseError).map { ": \($0.message)" } ?? ""
        throw PoseError(
          .malformed,
          "Line \(index + 1) of \(url.path) is not a frame of poses\(detail); "
            + "extract it again with kinema pose --format jsonl.", cause: error)
      }
    }
    let keys = Set(frames.flatMap(\.poses).flatMap(\.keypoints.keys))
    if keys.contains(.wrist), !keys.contains(.nose) { joints = JointKey.hand }
  }

  func writeLines(to url: URL) throws {
    var data = Data()
    for (index, frame) in frames.enumerated() {
      data.append(frame.jsonLine(index: index))
      data.append(UInt8(ascii: "\n"))
    }
    do {
      try WholeFile.write(data, to: url)
    } catch {
      throw PoseError(.writingFailed, "\(error)", cause: error)
    }
  }
}
