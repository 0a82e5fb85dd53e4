import CFFmpeg

/// The mean brightness of the squares of a picture, some dozens in a row.
package struct LumaGrid: Hashable, Sendable {
  /// The largest number of cells along the longer side: a person of an eighth of it, the smallest that is
  /// found, covers about eight.
  package static let side = 64

  package let width: Int
  package let height: Int
  /// Rows from the top, each from 0 to 255.
  package let values: [Float]

  /// - Parameter values: `width` × `height` values, rows from the top.
  package init(width: Int, height: Int, values: [Float]) {
    precondition(values.count == width * height, "A grid has a value for each of its cells.")
    (self.width, self.height, self.values) = (width, height, values)
  }

  /// The grid of a frame; green stands for brightness.
  package init(of frame: Frame) {
    self = frame.withUnsafeBytes { bytes in
      Self.mean(
        of: UnsafeRawBufferPointer(rebasing: bytes[1...]), width: frame.width,
        height: frame.height, bytesPerRow: frame.bytesPerRow, bytesPerPixel: 4)
    }
  }

  /// The grid of a decoded picture as it is stored; `nil` for a format without 8-bit brightness of its
  /// own.
  init?(of picture: UnsafePointer<AVFrame>) {
    let format = AVPixelFormat(rawValue: picture.pointee.format)
    guard let description = av_pix_fmt_desc_get(format),
      description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) == 0,
      description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) == 0,
      description.pointee.comp.0.plane == 0, description.pointee.comp.0.depth == 8,
      description.pointee.comp.0.step > 0, let plane = picture.pointee.data.0
    else { return nil }
    let (width, height) = (Int(picture.pointee.width), Int(picture.pointee.height))
    let rowLength = Int(picture.pointee.linesize.0)
    let step = Int(description.pointee.comp.0.step)
    let offset = Int(description.pointee.comp.0.offset)
    guard width > 0, height > 0, rowLength >= width * step else { return nil }
    let byteCount = (height - 1) * rowLength + width * step - offset
    self = Self.mean(
      of: UnsafeRawBufferPointer(start: plane + offset, count: byteCount), width: width,
      height: height, bytesPerRow: rowLength, bytesPerPixel: step)
  }

  /// The grid of the picture once it is turned.
  func turned(by orientation: Orientation) -> LumaGrid {
    guard orientation != .upright else { return self }
    var turned = [UInt32](repeating: 0, count: values.count)
    let stored = values.map(\.bitPattern)
    stored.withUnsafeBufferPointer { source in
      turned.withUnsafeMutableBufferPointer { target in
        guard let source = source.baseAddress, let target = target.baseAddress else { return }
        orientation.copy(source, width: width, height: height, rowLength: width, to: target)
      }
    }
    let values = turned.map(Float.init(bitPattern:))
    return orientation.swapsSides
      ? LumaGrid(width: height, height: width, values: values)
      : LumaGrid(width: width, height: height, values: values)
  }

  /// The grid with the cells in black whose middle is in an area.
  func masked(by polygons: [PicturePolygon]) -> LumaGrid {
    guard !polygons.isEmpty else { return self }
    let masked = values.enumerated().map { index, value in
      let (column, row) = (Float(index % width), Float(index / width))
      let middle = SIMD2((column + 0.5) / Float(width), 1 - (row + 0.5) / Float(height))
      return polygons.contains { $0.contains(middle) } ? 0 : value
    }
    return LumaGrid(width: width, height: height, values: masked)
  }

  /// The side of a cell of a picture, in pixels.
  package static func cellSide(width: Int, height: Int) -> Int {
    max(1, (max(width, height) + side - 1) / side)
  }

  private static func mean(
    of bytes: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int,
    bytesPerPixel: Int
  ) -> LumaGrid {
    let scale = cellSide(width: width, height: height)
    let (columns, rows) = (max(1, width / scale), max(1, height / scale))
    let (cellWidth, cellHeight) = (min(scale, width), min(scale, height))
    // Every second pixel of every second row is enough where a cell has many.
    let stride = scale >= 8 ? 2 : 1
    let perRow = (cellWidth + stride - 1) / stride
    let perCell = Float(perRow * ((cellHeight + stride - 1) / stride))
    var values: [Float] = []
    values.reserveCapacity(columns * rows)
    var sums = [Int](repeating: 0, count: columns)
    for row in 0..<rows {
      for column in sums.indices { sums[column] = 0 }
      for y in Swift.stride(from: row * scale, to: row * scale + cellHeight, by: stride) {
        var place = y * bytesPerRow
        for column in sums.indices {
          var sum = 0
          var pixel = place
          for _ in 0..<perRow {
            sum += Int(bytes[pixel])
            pixel += stride * bytesPerPixel
          }
          sums[column] += sum
          place += scale * bytesPerPixel
        }
      }
      values += sums.map { Float($0) / perCell }
    }
    return LumaGrid(width: columns, height: rows, values: values)
  }
}
