import CFFmpeg

extension Frame {
  /// The frame with at most so many pixels a side, in its own proportions; unchanged if it is smaller.
  ///
  /// - Throws: ``VideoError`` without memory.
  package func scaled(toFit side: Int) throws(VideoError) -> Frame {
    let factor = Double(side) / Double(max(width, height))
    guard factor < 1 else { return self }
    var scaled = Frame(
      width: max(1, Int((Double(width) * factor).rounded())),
      height: max(1, Int((Double(height) * factor).rounded())))
    let scaler = sws_getContext(
      Int32(clamping: width), Int32(clamping: height), FrameConverter.pixelFormat,
      Int32(clamping: scaled.width), Int32(clamping: scaled.height), FrameConverter.pixelFormat,
      Int32(SWS_AREA), nil, nil, nil)
    guard let scaler else {
      throw VideoError(
        .outOfResources, "There is not enough memory to scale a picture: close other programs.")
    }
    defer { sws_freeContext(scaler) }
    let (rowBytes, scaledRowBytes) = (bytesPerRow, scaled.bytesPerRow)
    withUnsafeBytes { source in
      scaled.withUnsafeMutableBytes { target in
        let rows: [UnsafePointer<UInt8>?] = [
          source.assumingMemoryBound(to: UInt8.self).baseAddress, nil, nil, nil,
        ]
        let scaledRows: [UnsafeMutablePointer<UInt8>?] = [
          target.assumingMemoryBound(to: UInt8.self).baseAddress, nil, nil, nil,
        ]
        _ = sws_scale(
          scaler, rows, [Int32(rowBytes), 0, 0, 0], 0, Int32(height), scaledRows,
          [Int32(scaledRowBytes), 0, 0, 0])
      }
    }
    return scaled
  }
}
