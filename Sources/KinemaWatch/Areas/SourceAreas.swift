package import Foundation
package import KinemaFiles
package import KinemaVideo

/// Where in a source's picture something matters: its zones and lines, what is masked, and how tall a person
/// must be.
///
/// Places are normalised to the picture, origin at the lower left, y up. In files and in pages their origin
/// is at the upper left, as in the pictures that they are drawn on.
package struct SourceAreas: Hashable, Sendable {
  package struct Zone: Hashable, Sendable {
    package let name: String
    package let polygon: PicturePolygon
    /// Whether a person who lies here is taken to sleep.
    package let isBed: Bool

    package init(name: String, polygon: PicturePolygon, isBed: Bool = false) {
      (self.name, self.polygon, self.isBed) = (name, polygon, isBed)
    }
  }

  /// Who crosses it from the left to the right of its way comes in; the other way is out.
  package struct Line: Hashable, Sendable {
    package let name: String
    package let start: SIMD2<Float>
    package let end: SIMD2<Float>

    package init(name: String, start: SIMD2<Float>, end: SIMD2<Float>) {
      (self.name, self.start, self.end) = (name, start, end)
    }
  }

  package var zones: [Zone] = []
  package var lines: [Line] = []
  package var masks: [PicturePolygon] = []
  /// The least height of a person, as a share of the picture's.
  package var minimumHeight: Float = 0

  package init() {}

  /// The members of a source that hold areas.
  package static let members = ["zones", "lines", "masks", "minimumHeight"]

  // MARK: - Reading

  /// How many areas of a kind there may be, and how many corners each.
  private static let count = 32
  private static let cornerCount = 3...64
  /// The least area and length: a hundredth of the picture's sides.
  private static let (leastArea, leastLength): (Float, Float) = (0.0001, 0.01)

  /// Reads areas as pages send them; throws ``WatchError``.
  package init(_ data: Data) throws(WatchError) {
    // Whatever it is, it is no object then.
    let value = (try? JSONSerialization.jsonObject(with: data)) ?? [Any]()
    try self.init(CheckedObject(value, at: "areas", known: Self.members))
  }

  /// Reads the members of a source; its other ones are left alone.
  init(_ source: CheckedObject) throws(WatchError) {
    for (index, value) in try Self.list("zones", of: source).enumerated() {
      zones.append(try Self.zone(value, at: "\(source.place), zones[\(index)]"))
    }
    for (index, value) in try Self.list("lines", of: source).enumerated() {
      lines.append(try Self.line(value, at: "\(source.place), lines[\(index)]"))
    }
    for (index, value) in try Self.list("masks", of: source).enumerated() {
      masks.append(try Self.polygon(value, "\(source.place): “masks[\(index)]”"))
    }
    minimumHeight = Float(try source.number("minimumHeight", within: 0...1) ?? 0)
    let names = zones.map(\.name) + lines.map(\.name)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw WatchError(
        .malformed, "\(source.place): two zones or lines are called “\(twice)”; rename one.")
    }
  }

  private static func list(_ name: String, of source: CheckedObject) throws(WatchError) -> [Any] {
    let list = try source.list(name) ?? []
    guard list.count <= count else { throw source.error(name, "at most \(count) areas") }
    return list
  }

  private static func zone(_ value: Any, at place: String) throws(WatchError) -> Zone {
    let object = try CheckedObject(value, at: place, known: ["name", "polygon", "bed"])
    guard let corners = object.value("polygon") else {
      throw object.error("polygon", "\(Self.corners(of: "a zone")), and is missing")
    }
    return Zone(
      name: try object.name(), polygon: try polygon(corners, "\(place): “polygon”"),
      isBed: try object.flag("bed") ?? false)
  }

  private static func line(_ value: Any, at place: String) throws(WatchError) -> Line {
    let object = try CheckedObject(value, at: place, known: ["name", "from", "to"])
    func end(_ name: String) throws(WatchError) -> SIMD2<Float> {
      guard let point = object.value(name).flatMap(Self.point) else {
        throw object.error(name, "a place [x, y] from 0 to 1: shares of the picture's sides")
      }
      return point
    }
    let line = Line(name: try object.name(), start: try end("from"), end: try end("to"))
    let way = line.end - line.start
    guard (way * way).sum().squareRoot() >= leastLength else {
      throw object.error("to", "another place than “from”")
    }
    return line
  }

  private static func corners(of thing: String) -> String {
    "the corners of \(thing): \(cornerCount.lowerBound) to \(cornerCount.upperBound) places [x, y] from 0 "
      + "to 1, shares of the picture's width and height from its upper left corner"
  }

  private static func polygon(_ value: Any, _ title: String) throws(WatchError) -> PicturePolygon {
    let corners = (value as? [Any])?.map(Self.point) ?? []
    let points = corners.compactMap(\.self)
    guard points.count == corners.count, cornerCount.contains(points.count) else {
      throw WatchError(.malformed, "\(title) takes \(Self.corners(of: "an area")).")
    }
    let polygon = PicturePolygon(points)
    guard polygon.area >= leastArea else {
      throw WatchError(.malformed, "\(title) encloses nothing: its corners lie on a line.")
    }
    return polygon
  }

  /// A place in the picture; `nil` for anything else.
  private static func point(_ value: Any) -> SIMD2<Float>? {
    guard let numbers = (value as? [Any])?.map(CheckedObject.number), numbers.count == 2,
      let x = numbers[0], let y = numbers[1], (0...1).contains(x), (0...1).contains(y)
    else { return nil }
    return SIMD2(Float(x), Float(1 - y))
  }

  // MARK: - Writing

  private static func place(_ point: SIMD2<Float>) -> [Double] {
    [point.x, 1 - point.y].map { (Double($0) * 10_000).rounded() / 10_000 }
  }

  private var zoneObjects: [JSONObject] {
    zones.map { zone in
      [
        "name": zone.name, "polygon": zone.polygon.points.map(Self.place),
        "bed": zone.isBed ? true : nil,
      ]
    }
  }

  private var lineObjects: [JSONObject] {
    lines.map { ["name": $0.name, "from": Self.place($0.start), "to": Self.place($0.end)] }
  }

  private var shownHeight: Double { (Double(minimumHeight) * 10_000).rounded() / 10_000 }

  /// As pages read them.
  package var object: JSONObject {
    [
      "zones": zoneObjects, "lines": lineObjects, "masks": masks.map { $0.points.map(Self.place) },
      "minimumHeight": shownHeight,
    ]
  }

  /// The members of a source that are not empty, as JSON.
  var memberTexts: [(name: String, text: Data)] {
    get throws {
      func text(_ value: some Encodable) throws -> Data {
        try value.jsonText(isPretty: false).dropLast()
      }
      var texts: [(name: String, text: Data)] = []
      if !zones.isEmpty { texts.append(("zones", try text(zoneObjects))) }
      if !lines.isEmpty { texts.append(("lines", try text(lineObjects))) }
      if !masks.isEmpty {
        texts.append(("masks", try text(masks.map { $0.points.map(Self.place) })))
      }
      if minimumHeight > 0 { texts.append(("minimumHeight", try text(shownHeight))) }
      return texts
    }
  }
}
