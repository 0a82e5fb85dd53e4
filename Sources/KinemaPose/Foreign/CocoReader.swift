import Foundation

extension ForeignPoses {
  private struct CocoImage {
    var id: Int?
    var file = ""
    var number: Int?
    var size = SIMD2(0, 0)
    var time: TimeInterval?
  }

  /// Reads COCO's keypoints (cocodataset.org/#format-data).
  ///
  /// Images have their size, and categories name the points. Kinema's own `.json` also has the times of
  /// frames, and hands.
  mutating func readCoco(_ data: Data) throws {
    var images: [CocoImage] = []
    var names: [String] = []
    try data.scanJSON { scanner in
      try scanner.readObject { scanner, name in
        switch name {
        case "images":
          try scanner.readArray { scanner in
            try PoseFile.check(frameCount: images.count + 1, personCount: 0)
            images.append(try Self.cocoImage(&scanner))
          }
        case "categories":
          try scanner.readArray { scanner in
            let points = try Self.cocoPoints(&scanner)
            if names.isEmpty { names = points }
          }
        default: try scanner.skip()
        }
      }
    }
    guard Set(images.filter { $0.time != nil }.map(\.file)).count <= 1 else {
      throw PoseFile.Malformed(description: "it holds several videos; write a file for each")
    }
    var frameOfImage: [Int: Int] = [:]
    let sorted = images.enumerated().sorted {
      ($0.element.id ?? 0, $0.offset) < ($1.element.id ?? 0, $1.offset)
    }
    for (index, (_, image)) in sorted.enumerated() {
      guard let id = image.id else {
        throw PoseFile.Malformed(description: "an image has no id")
      }
      let isSized = image.size.x > 0 && image.size.y > 0
      frameOfImage[id] = try add(
        Frame(
          number: image.number ?? index, time: image.time,
          size: isSized ? (image.size.x, image.size.y) : nil))
    }
    let isOfHands = names.contains(JointKey.thumbTip.rawValue)
    if isOfHands { joints = JointKey.hand }
    let layout =
      names.isEmpty
      ? nil
      : PointLayout(
        joints: isOfHands ? names.map { JointKey(rawValue: $0) } : names.map(Self.joint))
    mayHaveFlags = true
    var annotationCount = 0
    try data.scanJSON { scanner in
      try scanner.readObject { scanner, name in
        guard name == "annotations" else { return try scanner.skip() }
        try scanner.readArray { scanner in
          annotationCount += 1
          guard let (image, person) = try Self.cocoPerson(&scanner, layout) else { return }
          guard let frame = frameOfImage[image] else {
            throw PoseFile.Malformed(
              description: "an annotation is of image \(image), which is not among its images")
          }
          try add(person, toFrame: frame)
        }
      }
    }
    guard personCount > 0 || annotationCount == 0 else {
      throw PoseFile.Malformed(description: "none of its annotations has keypoints")
    }
  }

  private static func joint(_ name: String) -> JointKey? {
    if case .joint(let key)? = PointName(name) { key } else { nil }
  }

  private static func cocoImage(_ scanner: inout JSONScanner) throws -> CocoImage {
    var image = CocoImage()
    try scanner.readObject { scanner, name in
      switch name {
      case "id": image.id = try scanner.readInteger()
      case "file_name": image.file = try scanner.readString()
      case "width": image.size.x = try scanner.readInteger()
      case "height": image.size.y = try scanner.readInteger()
      case "frame": image.number = try scanner.readInteger()
      case "time": image.time = try scanner.readDouble()
      default: try scanner.skip()
      }
    }
    return image
  }

  /// The names of a category's points; none of one without points.
  private static func cocoPoints(_ scanner: inout JSONScanner) throws -> [String] {
    var names: [String] = []
    try scanner.readObject { scanner, name in
      guard name == "keypoints" else { return try scanner.skip() }
      try scanner.readArray { scanner in
        guard names.count < Person.largestPointCount else {
          throw PoseFile.Malformed(description: "a category has too many keypoints")
        }
        names.append(try scanner.readString())
      }
    }
    return names
  }

  /// The person of an annotation and its image; `nil` for one without points.
  private static func cocoPerson(
    _ scanner: inout JSONScanner, _ layout: PointLayout?
  ) throws -> (image: Int, Person)? {
    var (image, values, id, side): (Int?, [Float]?, Int?, Chirality?) = (nil, nil, nil, nil)
    try scanner.readObject { scanner, name in
      switch name {
      case "image_id": image = try scanner.readInteger()
      case "keypoints": values = try scanner.readNumbers(limit: 3 * Person.largestPointCount)
      case "track_id", "instance_id": id = try scanner.readID()
      case "hand": side = try scanner.readNull() ? nil : Chirality(rawValue: scanner.readString())
      default: try scanner.skip()
      }
    }
    guard let values else { return nil }
    guard let image else { throw PoseFile.Malformed(description: "an annotation has no image_id") }
    var person = try Person(values, layout: layout, id: id)
    person.side = side
    return (image, person)
  }
}
