import Foundation
import KinemaErrors
import KinemaFiles

/// The formats of poses that other tools write, and Kinema's own for them, known by their content.
enum ForeignFormat: String {
  case openPose, alphaPose, mmPose, coco, kinect, table, markers, mmAction, human36M

  /// How much of a file is read to know it.
  private static let headSize = 1 << 16

  /// Reads the first bytes of a file, or of a folder's first files; `nil` for one that is not of poses.
  init?(of url: URL) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      return nil
    }
    guard !isFolder.boolValue else {
      let first = FolderContents(url)?.files.first { $0.pathExtension.lowercased() == "json" }
      guard first.flatMap(FileKind.init(contentsOf:)) == .openPose else { return nil }
      self = .openPose
      return
    }
    // What cannot be read is of no format; its reader says why.
    guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? file.close() }
    // As above.
    guard let head = try? file.read(upToCount: Self.headSize) else { return nil }
    switch FileKind(head) {
    case .openPose: self = .openPose
    case .alphaPose: self = .alphaPose
    case .mmPose: self = .mmPose
    case .coco: self = .coco
    case .trc: self = .markers
    case nil where ForeignPoses.isKinect(head: head): self = .kinect
    case nil where PoseColumns(head: head) != nil: self = .table
    default: return nil
    }
  }

  /// Reads a file, or OpenPose's folder; throws ``PoseError``.
  func read(_ url: URL, defaults: PoseFile.Defaults) throws -> PoseFile {
    do {
      var poses = ForeignPoses()
      switch self {
      case .openPose: try poses.readOpenPose(url)
      case .alphaPose: try poses.readAlphaPose(Self.data(of: url))
      case .mmPose: try poses.readMMPose(Self.data(of: url))
      case .coco: try poses.readCoco(Self.data(of: url))
      case .kinect: try poses.readKinect(Self.data(of: url))
      case .table: try poses.readTable(Self.data(of: url), name: url.path)
      case .markers: try poses.readMarkers(Self.data(of: url), name: url.path)
      case .mmAction: try poses.readMMAction(NumPyArchiveReader(path: url.path))
      case .human36M: try poses.readHuman36M(NumPyArchiveReader(path: url.path))
      }
      return try poses.poseFile(defaults: defaults)
    } catch let error as PoseError {
      throw error
    } catch is ForeignPoses.Question {
      throw PoseError(.malformed, MessageText("noPixelSize", ["file": url.path]))
    } catch let error as NumPyArchive.Failure where error.isPickle {
      throw PoseError(
        .malformed, MessageText("pickledPoses", ["file": url.path, "pickled": rawValue]),
        cause: error)
    } catch {
      throw PoseError(
        .malformed,
        MessageText(
          "damagedPoses", ["file": url.path, "format": rawValue, "reason": "\(error)"]),
        cause: error)
    }
  }

  static func data(of url: URL) throws -> Data {
    do {
      return try Data(contentsOf: url, options: .mappedIfSafe)
    } catch {
      throw PoseError(.notFound, MessageText("unreadableFile", ["file": url.path]), cause: error)
    }
  }
}

extension Data {
  /// Reads a JSON text value by value; throws ``PoseFile/Malformed``.
  func scanJSON<R>(_ body: (inout JSONScanner) throws -> R) throws -> R {
    try withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      do {
        let result = try body(&scanner)
        guard scanner.next() == nil else { throw JSONScanner.Malformed() }
        return result
      } catch let error as PoseFile.Malformed {
        throw error
      } catch {
        throw PoseFile.Malformed(
          description: "it is damaged or cut off at byte \(Swift.min(scanner.position + 1, count))")
      }
    }
  }
}

extension JSONScanner {
  /// Reads the numbers of an array, which may be in arrays themselves: `[x, y, c, …]` or `[[x, y, c], …]`.
  mutating func readNumbers(limit: Int) throws -> [Float] {
    var numbers: [Float] = []
    try readArray { scanner in
      guard numbers.count < limit else {
        throw PoseFile.Malformed(description: "a list in it has over \(limit) numbers")
      }
      if scanner.next() == UInt8(ascii: "[") {
        numbers += try scanner.readNumbers(limit: limit - numbers.count)
      } else if try scanner.readNull() {
        numbers.append(0)
      } else {
        numbers.append(try scanner.readFloat())
      }
    }
    return numbers
  }

  /// Reads a text, or a number as text.
  mutating func readName() throws -> String {
    next() == UInt8(ascii: "\"") ? try readString() : "\(try readInteger())"
  }

  /// Reads an id: a number, or an array with one; none below 0, or that is `null`.
  mutating func readID() throws -> Int? {
    if try readNull() { return nil }
    if next() == UInt8(ascii: "[") {
      let first = try readNumbers(limit: 16).first
      return first.flatMap { Int(exactly: $0) }.flatMap { $0 < 0 ? nil : $0 }
    }
    let number = try readInteger()
    return number < 0 ? nil : number
  }
}

extension ForeignPoses.Person {
  /// The longest list of points, with hands and face.
  static let largestPointCount = 1000

  /// A person whose points are a list: x, y and confidence of each.
  ///
  /// - Parameter layout: `nil` to go by the number of points.
  init(_ values: [Float], layout: PointLayout? = nil, id: Int?) throws {
    self.init(id: id)
    guard !values.isEmpty else { return }
    guard values.count.isMultiple(of: 3),
      let layout = layout ?? PointLayout(pointCount: values.count / 3)
    else {
      throw PoseFile.Malformed(
        description: "a person has \(values.count) values, where \(PointLayout.known), of x, y and "
          + "confidence each")
    }
    for (index, key) in layout.joints.enumerated() where 3 * index + 2 < values.count {
      guard let key, key != .root, values[3 * index + 2] > 0 else { continue }
      points[key] = SIMD3(values[3 * index], values[3 * index + 1], values[3 * index + 2])
    }
  }
}
