import CZip
package import Foundation

/// The arrays of a `.npz` file: a zip archive of `.npy` files.
package enum NumPyArchive {
  /// The size limit of an array, in bytes.
  static let largestArray: UInt64 = 1 << 30
  /// 1 January 1980, the earliest date of a zip archive, so that equal arrays give equal files.
  private static let earliestDate: UInt16 = 1 << 5 | 1

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  package static func read(_ names: [String], at path: String) throws -> [String: NumPyArray] {
    var code: Int32 = 0
    guard let archive = zip_open(path, Int32(ZIP_RDONLY), &code) else {
      var error = zip_error_t()
      zip_error_init_with_code(&error, code)
      defer { zip_error_fini(&error) }
      throw Failure(description: String(cString: zip_error_strerror(&error)))
    }
    defer { zip_discard(archive) }
    var arrays: [String: NumPyArray] = [:]
    for name in names {
      let index = zip_name_locate(archive, "\(name).npy", 0)
      guard index >= 0 else { continue }
      do {
        arrays[name] = try NumPyArray(npy: try entry(UInt64(index), of: archive))
      } catch {
        throw Failure(description: "its array \"\(name)\" \(error)")
      }
    }
    return arrays
  }

  package static func data(of arrays: [(name: String, array: NumPyArray)]) throws -> Data {
    let contents = arrays.map { (name: $0.name, npy: [UInt8]($0.array.npy)) }
    var error = zip_error_t()
    zip_error_init(&error)
    defer { zip_error_fini(&error) }
    guard let target = zip_source_buffer_create(nil, 0, 0, &error),
      let archive = zip_open_from_source(target, Int32(ZIP_TRUNCATE), &error)
    else { throw Failure(description: String(cString: zip_error_strerror(&error))) }
    zip_source_keep(target)
    defer { zip_source_free(target) }
    var buffers: [UnsafeMutableRawBufferPointer] = []
    defer { buffers.forEach { $0.deallocate() } }
    for (name, npy) in contents {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: npy.count, alignment: 64)
      buffer.copyBytes(from: npy)
      buffers.append(buffer)
      let entry = zip_source_buffer_create(buffer.baseAddress, UInt64(npy.count), 0, &error)
      let index = entry.map { zip_file_add(archive, "\(name).npy", $0, 0) } ?? -1
      // Without an explicit date, the entry gets the current one.
      guard index >= 0, zip_file_set_dostime(archive, UInt64(index), 0, earliestDate, 0) == 0 else {
        let failure = failure(of: archive)
        zip_discard(archive)
        throw failure
      }
    }
    guard zip_close(archive) == 0 else {
      let failure = failure(of: archive)
      zip_discard(archive)
      throw failure
    }
    return try bytes(of: target)
  }

  private static func bytes(of source: OpaquePointer) throws -> Data {
    var status = zip_stat_t()
    guard zip_source_stat(source, &status) == 0, zip_source_open(source) == 0 else {
      throw Failure(description: "the archive could not be built")
    }
    defer { zip_source_close(source) }
    var data = Data(count: Int(status.size))
    let read = data.withUnsafeMutableBytes {
      zip_source_read(source, $0.baseAddress, UInt64($0.count))
    }
    guard read == Int64(status.size) else {
      throw Failure(description: "the archive could not be built")
    }
    return data
  }

  private static func entry(_ index: UInt64, of archive: OpaquePointer) throws -> Data {
    var status = zip_stat_t()
    guard zip_stat_index(archive, index, 0, &status) == 0,
      status.valid & UInt64(ZIP_STAT_SIZE) != 0
    else { throw failure(of: archive) }
    guard status.size <= largestArray else {
      throw Failure(description: "claims \(status.size) bytes, which is over the limit")
    }
    guard let file = zip_fopen_index(archive, index, 0) else { throw failure(of: archive) }
    defer { zip_fclose(file) }
    // Read in pieces: a false size must not allocate memory.
    var data = Data()
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    while UInt64(data.count) < status.size {
      let wanted = min(UInt64(piece.count), status.size - UInt64(data.count))
      let count = zip_fread(file, &piece, wanted)
      guard count > 0 else { throw Failure(description: "is truncated or damaged") }
      data.append(contentsOf: piece[..<Int(count)])
    }
    return data
  }

  private static func failure(of archive: OpaquePointer) -> Failure {
    Failure(description: String(cString: zip_error_strerror(zip_get_error(archive))))
  }
}
