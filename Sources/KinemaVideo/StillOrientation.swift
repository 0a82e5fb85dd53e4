import Foundation

extension Orientation {
  /// The orientation of a TIFF file by its first directory, which may stand anywhere; `nil` for another
  /// file, or without one.
  static func ofTIFF(at url: URL) -> Orientation? {
    guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? file.close() }
    guard let head = file.bytes(8), let order = ByteOrder(of: head) else { return nil }
    let place = order.number(in: head[4..<8])
    guard let count = file.bytes(2, at: place).map({ order.number(in: $0[...]) }),
      let directory = file.bytes(2 + count * 12, at: place)
    else { return nil }
    let start: [UInt8] = order == .littleEndian ? [8, 0, 0, 0] : [0, 0, 0, 8]
    return Orientation(exif: Array(head.prefix(4)) + start + directory)
  }

  /// The orientation of an AVIF picture by the properties of its primary item, `irot` and `imir`, in their
  /// order (ISO/IEC 23008-12, sections 6.5.10, 6.5.12 and 9.3); `nil` for another file, or without them.
  static func ofAVIF(at url: URL) -> Orientation? {
    guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? file.close() }
    // `ftyp` with the brand of pictures comes first, `meta` soon.
    guard let head = file.bytes(12), head[4..<12].elementsEqual("ftypavif".utf8) else { return nil }
    let (longestMeta, nearestBoxes) = (1 << 20, 16)
    var place = 0
    for _ in 0..<nearestBoxes {
      guard let head = file.bytes(8, at: place) else { return nil }
      let size = ByteOrder.bigEndian.number(in: head[..<4])
      guard size >= 8 else { return nil }
      if head[4...].elementsEqual("meta".utf8) {
        guard size <= longestMeta, let box = file.bytes(size, at: place) else { return nil }
        return ItemProperties(meta: box[12...])?.orientation
      }
      place += size
    }
    return nil
  }

  /// This orientation, and then another.
  fileprivate func followed(by next: Orientation) -> Orientation {
    Orientation(
      xx: next.xx * xx + next.xy * yx, xy: next.xx * xy + next.xy * yy,
      yx: next.yx * xx + next.yy * yx, yy: next.yx * xy + next.yy * yy)
  }
}

extension FileHandle {
  fileprivate func bytes(_ count: Int, at place: Int? = nil) -> [UInt8]? {
    if let place, (try? seek(toOffset: UInt64(place))) == nil { return nil }
    guard let data = try? read(upToCount: count), data.count == count else { return nil }
    return [UInt8](data)
  }
}

private enum ByteOrder {
  case littleEndian, bigEndian

  /// The order that a TIFF file begins with.
  init?(of head: [UInt8]) {
    switch head.prefix(4) {
    case [0x49, 0x49, 42, 0]: self = .littleEndian
    case [0x4D, 0x4D, 0, 42]: self = .bigEndian
    default: return nil
    }
  }

  func number(in bytes: ArraySlice<UInt8>) -> Int {
    let digits = self == .littleEndian ? bytes.reversed() : Array(bytes)
    return digits.reduce(0) { $0 << 8 | Int($1) }
  }
}

/// The properties of the primary item of a `meta` box.
private struct ItemProperties {
  private var properties: [(kind: String, content: ArraySlice<UInt8>)] = []

  /// - Parameter meta: The boxes in the `meta` box.
  init?(meta: ArraySlice<UInt8>) {
    let boxes = Self.boxes(in: meta)
    let parts = boxes["iprp"].map(Self.boxes) ?? [:]
    guard var primary = boxes["pitm"].map(Bytes.init), var table = parts["ipma"].map(Bytes.init),
      let version = primary.number(4), let item = primary.number(version >> 24 == 0 ? 2 : 4),
      let head = table.number(4), let count = table.number(4)
    else { return nil }
    let stored = parts["ipco"].map(Self.list) ?? []
    for _ in 0..<count {
      guard let id = table.number(head >> 24 == 0 ? 2 : 4), let length = table.number(1) else {
        return nil
      }
      for _ in 0..<length {
        // The highest bit says that a reader must know the property.
        guard let number = table.number(head & 1 == 1 ? 2 : 1) else { return nil }
        let index = (number & (head & 1 == 1 ? 0x7FFF : 0x7F)) - 1
        if id == item, stored.indices.contains(index) { properties.append(stored[index]) }
      }
    }
  }

  var orientation: Orientation? {
    var result: Orientation?
    for (kind, content) in properties {
      guard let value = content.first.map(Int.init) else { continue }
      let step: Orientation
      switch kind {
      // Counter-clockwise quarter turns.
      case "irot": step = Orientation(clockwiseDegrees: Double(value & 3) * -90)
      // 0 exchanges top and bottom, 1 left and right.
      case "imir":
        let isHorizontal = value & 1 == 1
        step = Orientation(xx: isHorizontal ? -1 : 1, xy: 0, yx: 0, yy: isHorizontal ? 1 : -1)
      default: continue
      }
      result = (result ?? .upright).followed(by: step)
    }
    return result
  }

  private static func list(
    of bytes: ArraySlice<UInt8>
  ) -> [(kind: String, content: ArraySlice<UInt8>)] {
    var found: [(String, ArraySlice<UInt8>)] = []
    var rest = Bytes(bytes)
    while let size = rest.number(4), size >= 8, let kind = rest.take(4),
      let content = rest.take(size - 8)
    {
      found.append((String(decoding: kind, as: UTF8.self), content))
    }
    return found
  }

  private static func boxes(in bytes: ArraySlice<UInt8>) -> [String: ArraySlice<UInt8>] {
    Dictionary(list(of: bytes).map { ($0.kind, $0.content) }) { first, _ in first }
  }

  /// Bytes that are read from the front.
  private struct Bytes {
    var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }

    mutating func number(_ byteCount: Int) -> Int? {
      take(byteCount).map(ByteOrder.bigEndian.number)
    }
  }
}
