import Foundation

extension ForeignPoses {
  /// Reads AlphaPose's `alphapose-results.json`, and COCO's keypoint results: a list of people, each with the
  /// name or number of its image, `keypoints`, and, where people were tracked, `idx`.
  mutating func readAlphaPose(_ data: Data) throws {
    var names: [String] = []
    var indices: [String: Int] = [:]
    try data.scanJSON { scanner in
      try scanner.readArray { scanner in
        var (image, values, id): (String?, [Float]?, Int?) = (nil, nil, nil)
        try scanner.readObject { scanner, name in
          switch name {
          case "image_id": image = try scanner.readName()
          case "keypoints": values = try scanner.readNumbers(limit: 3 * Person.largestPointCount)
          case "idx", "track_id": id = try scanner.readID()
          default: try scanner.skip()
          }
        }
        guard let image, let values else {
          throw PoseFile.Malformed(
            description: "person \(personCount + 1) has no image_id or no keypoints")
        }
        let index = try indices[image] ?? add(Frame(number: names.count))
        if indices.updateValue(index, forKey: image) == nil { names.append(image) }
        try add(Person(values, id: id), toFrame: index)
      }
    }
    number(by: names)
  }
}
