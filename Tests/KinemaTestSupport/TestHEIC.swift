public import Foundation

/// A HEIC picture that is put together box by box (ISO/IEC 14496-12 and 23008-12), around tiles that the
/// `ffmpeg` command codes.
public struct TestHEIC {
  /// Quarter turns counter-clockwise that a reader applies (`irot`).
  public var quarterTurns = 0
  /// Whether it is reflected left to right after that (`imir`).
  public var isMirrored = false
  /// Whether colours have ten bits.
  public var hasTenBits = false
  /// The tiles in a row and in a column; one is no grid.
  public var tiles = (columns: 1, rows: 1)
  /// What the file says of the picture's size, in place of the truth.
  public var claimedSize: (width: Int, height: Int)?

  /// A plain picture of one tile.
  public init() {}

  /// Writes a picture of the file that `ffmpeg` reads.
  ///
  /// - Parameter size: The size of that file's picture.
  public func write(_ picture: URL, size: (width: Int, height: Int), to target: URL) throws {
    let folder = try TemporaryFolder()
    // Tiles have equal sides, whole blocks of HEVC; what is beyond the picture is cut off.
    func side(_ length: Int, _ count: Int) -> Int { ((length + count - 1) / count + 63) / 64 * 64 }
    let tile = (side(size.width, tiles.columns), side(size.height, tiles.rows))
    let isGrid = tiles.columns * tiles.rows > 1
    var samples: [Data] = []
    var decoder = Data()
    for row in 0..<tiles.rows {
      for column in 0..<tiles.columns {
        let whole = (tile.0 * tiles.columns, tile.1 * tiles.rows)
        let filter =
          (isGrid ? "pad=\(whole.0):\(whole.1)," : "")
          + (isGrid
            ? "crop=\(tile.0):\(tile.1):\(column * tile.0):\(row * tile.1)," : "")
          + "scale=out_range=pc:out_color_matrix=bt601,format="
          + (hasTenBits ? "yuv444p10le" : "yuv444p")
        let movie = try folder.make(
          "\(row) \(column).mp4", "-i", picture.path, "-vf", filter, "-frames:v", "1", "-c:v",
          "libx265", "-x265-params", "log-level=none:crf=4:range=full", "-color_range", "pc",
          "-tag:v", "hvc1")
        let bytes = try Data(contentsOf: movie)
        decoder = try Self.content(of: "hvcC", in: bytes)
        samples.append(try Self.content(of: "mdat", in: bytes))
      }
    }
    try file(size: size, tile: isGrid ? tile : size, decoder, samples).write(to: target)
  }

  /// A file's bytes.
  private func file(
    size: (width: Int, height: Int), tile: (width: Int, height: Int), _ decoder: Data,
    _ samples: [Data]
  ) -> Data {
    let brands = Self.box(
      "ftyp",
      Data((hasTenBits ? "heix" : "heic").utf8) + Self.number(0, 4)
        + Data("mif1heicheix".utf8))
    // The places in the file follow from the length of what stands before them, which they do not change.
    let length = meta(size: size, tile: tile, decoder, samples, start: 0).count
    let start = brands.count + length + 8
    return brands + meta(size: size, tile: tile, decoder, samples, start: start)
      + Self.box("mdat", samples.reduce(Data(), +))
  }

  private func meta(
    size: (width: Int, height: Int), tile: (width: Int, height: Int), _ decoder: Data,
    _ samples: [Data], start: Int
  ) -> Data {
    let isGrid = samples.count > 1
    let ids = samples.indices.map { $0 + 1 }
    let primary = isGrid ? samples.count + 1 : 1
    let entries =
      ids.map { id in
        Self.box(
          "infe", full: isGrid ? 2 << 24 | 1 : 2 << 24,
          Self.number(id, 2) + Self.number(0, 2)
            + Data("hvc1\0".utf8))
      }
      + (isGrid
        ? [
          Self.box(
            "infe", full: 2 << 24,
            Self.number(primary, 2) + Self.number(0, 2)
              + Data("grid\0".utf8))
        ] : [])
    let claimed = claimedSize ?? size
    func extent(_ size: (width: Int, height: Int)) -> Data {
      Self.box("ispe", full: 0, Self.number(size.width, 4) + Self.number(size.height, 4))
    }
    let color =
      Data("nclx".utf8) + Self.number(1, 2) + Self.number(13, 2) + Self.number(6, 2)
      + Self.number(0x80, 1)
    let properties = [
      Self.box("hvcC", decoder), extent(isGrid ? tile : claimed), extent(claimed),
      Self.box("colr", color), Self.box("irot", Self.number(quarterTurns & 3, 1)),
      Self.box("imir", Self.number(1, 1)),
    ]
    let turning = (quarterTurns == 0 ? [] : [0x85]) + (isMirrored ? [0x86] : [])
    func association(_ id: Int, _ indices: [Int]) -> Data {
      Self.number(id, 2) + Self.number(indices.count, 1)
        + indices.reduce(Data()) { $0 + Self.number($1, 1) }
    }
    let associations =
      ids.map { association($0, [0x81, 2, 4] + (isGrid ? [] : turning)) }
      + (isGrid ? [association(primary, [3, 4] + turning)] : [])
    let grid =
      Self.number(0, 2) + Self.number(tiles.rows - 1, 1)
      + Self.number(tiles.columns - 1, 1) + Self.number(claimed.width, 2)
      + Self.number(claimed.height, 2)
    var place = start
    var locations: [Data] = []
    func location(_ id: Int, inItemData: Int, _ offset: Int, _ length: Int) -> Data {
      Self.number(id, 2) + Self.number(inItemData, 2) + Self.number(0, 2) + Self.number(1, 2)
        + Self.number(offset, 4) + Self.number(length, 4)
    }
    for (id, sample) in zip(ids, samples) {
      locations.append(location(id, inItemData: 0, place, sample.count))
      place += sample.count
    }
    if isGrid { locations.append(location(primary, inItemData: 1, 0, grid.count)) }
    let handler = Self.number(0, 4) + Data("pict".utf8) + Self.number(0, 13)
    var parts = [
      Self.box("hdlr", full: 0, handler), Self.box("pitm", full: 0, Self.number(primary, 2)),
      Self.box("iinf", full: 0, Self.number(entries.count, 2) + entries.reduce(Data(), +)),
    ]
    if isGrid {
      let uses = ids.reduce(Data()) { $0 + Self.number($1, 2) }
      let reference = Self.box("dimg", Self.number(primary, 2) + Self.number(ids.count, 2) + uses)
      parts.append(Self.box("iref", full: 0, reference))
    }
    parts += [
      Self.box(
        "iprp",
        Self.box("ipco", properties.reduce(Data(), +))
          + Self.box(
            "ipma", full: 0, Self.number(associations.count, 4) + associations.reduce(Data(), +))),
      Self.box("idat", grid),
      Self.box(
        "iloc", full: 1 << 24,
        Self.number(0x4400, 2) + Self.number(locations.count, 2)
          + locations.reduce(Data(), +)),
    ]
    return Self.box("meta", full: 0, parts.reduce(Data(), +))
  }

  // MARK: - Boxes

  /// The content of the first box of a kind.
  private static func content(of kind: String, in bytes: Data) throws -> Data {
    guard let range = bytes.range(of: Data(kind.utf8)), range.lowerBound >= 4 else {
      throw Command.Failure(description: "no box \(kind)")
    }
    let size = bytes[range.lowerBound - 4..<range.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    return Data(bytes[range.upperBound..<range.lowerBound - 4 + size])
  }

  /// - Parameter full: Version and flags, of boxes that have them.
  private static func box(_ kind: String, full: Int? = nil, _ content: Data) -> Data {
    let content = (full.map { number($0, 4) } ?? Data()) + content
    return number(content.count + 8, 4) + Data(kind.utf8) + content
  }

  private static func number(_ value: Int, _ byteCount: Int) -> Data {
    Data(
      (0..<byteCount).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 })
  }
}
