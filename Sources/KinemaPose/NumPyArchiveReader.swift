import CZip
import Foundation

/// A `.npz` file that is read array by array.
final class NumPyArchiveReader {
  /// The limit for an array, in bytes: what is unpacked in seconds.
  private static let largestArray: UInt64 = 1 << 30

  private let archive: OpaquePointer

  init(path: String) throws {
    NumPyArchive.prepare()
    var code: Int32 = 0
    guard let archive = zip_open(path, Int32(ZIP_RDONLY), &code) else {
      var error = zip_error_t()
      zip_error_init_with_code(&error, code)
      defer { zip_error_fini(&error) }
      throw NumPyArchive.Failure(description: String(cString: zip_error_strerror(&error)))
    }
    self.archive = archive
  }

  deinit { zip_discard(archive) }

  /// Whether there is an array of this name.
  func has(_ name: String) -> Bool { zip_name_locate(archive, "\(name).npy", 0) >= 0 }

  /// An array whose header was read; `nil` where there is none of this name.
  func entry(_ name: String) throws -> Entry? {
    let index = zip_name_locate(archive, "\(name).npy", 0)
    return index < 0 ? nil : try Entry(name, index: UInt64(index), of: self)
  }

  /// One array, whose elements are read in pieces: memory is taken for what is asked for and there.
  final class Entry {
    private static let pieceSize = 1 << 18

    let header: NumPyHeader
    private let name: String
    private let file: OpaquePointer
    /// Kept open until the array is read.
    private let reader: NumPyArchiveReader

    fileprivate init(_ name: String, index: UInt64, of reader: NumPyArchiveReader) throws {
      var status = zip_stat_t()
      guard zip_stat_index(reader.archive, index, 0, &status) == 0,
        status.valid & UInt64(ZIP_STAT_SIZE) != 0
      else { throw NumPyArchive.failure(of: reader.archive) }
      guard status.size <= largestArray else {
        throw Self.failure(name, "claims \(status.size) bytes, which is over the limit")
      }
      guard let file = zip_fopen_index(reader.archive, index, 0) else {
        throw NumPyArchive.failure(of: reader.archive)
      }
      do {
        header = try NumPyHeader { try Self.bytes($0, of: file) }
        guard UInt64(header.byteCount) == status.size else {
          throw NumPyHeader.Malformed(
            description: "does not have the size of its shape \(header.shape)")
        }
      } catch {
        zip_fclose(file)
        var failure = Self.failure(name, "\(error)")
        failure.isPickle = (error as? NumPyHeader.Malformed)?.isPickle ?? false
        throw failure
      }
      (self.name, self.file, self.reader) = (name, file, reader)
    }

    deinit { zip_fclose(file) }

    /// The next elements, as an array of a shape, by default of one dimension.
    func read(_ count: Int, shape: [Int]? = nil) throws -> NumPyArray {
      do {
        let bytes = try Self.bytes(count * header.element.size, of: file)
        return NumPyArray(shape: shape ?? [count], element: header.element, bytes: bytes)
      } catch {
        throw Self.failure(name, "\(error)")
      }
    }

    private static func bytes(_ count: Int, of file: OpaquePointer) throws -> Data {
      var data = Data()
      // In pieces: a false size must not allocate memory.
      var piece = [UInt8](repeating: 0, count: min(count, pieceSize))
      while data.count < count {
        let read = zip_fread(file, &piece, UInt64(min(piece.count, count - data.count)))
        guard read > 0 else {
          throw NumPyHeader.Malformed(description: "is truncated or damaged")
        }
        data.append(contentsOf: piece[..<Int(read)])
      }
      return data
    }

    private static func failure(_ name: String, _ what: String) -> NumPyArchive.Failure {
      NumPyArchive.Failure(description: "its array \"\(name)\" \(what)")
    }
  }
}
