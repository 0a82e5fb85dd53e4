import CZip
package import Foundation

/// The arrays of a `.npz` file: a zip archive of `.npy` files.
package enum NumPyArchive {
  /// 1 January 1980, the earliest date of a zip archive, so that equal arrays give equal files.
  private static let earliestDate: UInt16 = 1 << 5 | 1

  /// Makes libzip ready for several threads; used before each opening.
  ///
  /// `zip_open_from_source` of version 1.7.3 sets two static variables in its first call, without a
  /// lock: a call of another thread between the two fails with `ZIP_ER_RDONLY`.
  static func prepare() { isReady }

  /// Once, and while no other thread opens an archive.
  private static let isReady: Void = {
    guard let source = zip_source_buffer_create(nil, 0, 0, nil) else { return }
    guard let archive = zip_open_from_source(source, Int32(ZIP_TRUNCATE), nil) else {
      return zip_source_free(source)
    }
    zip_discard(archive)
  }()

  /// What libzip says where it cannot read or make an archive.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
    /// Whether what it holds is Python objects, which only Python can read, by running what stands there.
    var isPickle = false
    /// The same as a sentence, of an archive that could not be made.
    package var message: String {
      "The poses cannot be packed (\(description)): close other programs, and try again."
    }
  }

  /// Reads whole arrays; those that are missing are left out.
  package static func read(_ names: [String], at path: String) throws -> [String: NumPyArray] {
    let archive = try NumPyArchiveReader(path: path)
    var arrays: [String: NumPyArray] = [:]
    for name in names {
      guard let entry = try archive.entry(name) else { continue }
      arrays[name] = try entry.read(entry.header.elementCount, shape: entry.header.shape)
    }
    return arrays
  }

  package static func data(of arrays: [(name: String, array: NumPyArray)]) throws -> Data {
    try data(ofFiles: arrays.map { ($0.name, [UInt8]($0.array.npy)) })
  }

  /// An archive of `.npy` files with these bytes.
  package static func data(ofFiles contents: [(name: String, npy: [UInt8])]) throws -> Data {
    prepare()
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
    let read = data.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { zip_source_read(source, $0, UInt64(bytes.count)) } ?? 0
    }
    guard read == Int64(status.size) else {
      throw Failure(description: "the archive could not be built")
    }
    return data
  }

  static func failure(of archive: OpaquePointer) -> Failure {
    Failure(description: String(cString: zip_error_strerror(zip_get_error(archive))))
  }
}
