package import Foundation
package import KinemaErrors

/// What a file is by its first bytes, where it may be in the place of another: the one list of formats
/// that messages name.
///
/// Every reader asks here when it cannot read a file. The words are those of `kind.NAME` in
/// ``KinemaErrors/MessageTable``, the remedies those of `remedy.NAME`.
package enum FileKind: String, CaseIterable, Sendable {
  case gitLFS
  // Pictures and videos.
  case heic, picture, video, sound
  // Poses of other tools.
  case openPose, mediaPipe, alphaPose, mmPose, deepLabCut, sleap, c3d, bvh, trc, numPyArray
  // Models.
  case coreML, compiledCoreML, savedModel, onnx, pyTorch, tensorFlowLite, keras, tensorFlowJS,
    pickle
  // Annotations of other tools and data sets.
  case elan, boris, via, cvat, coco, activityNet, kinetics, labelbox, labelMe, textGrid, subtitles
  // Containers of any content.
  case spreadsheet, parquet, hdf5, matlab, numPyArchive, zip, archive, pdf, database, webPage, xml
  case json

  /// How much of a file is read.
  private static let headSize = 1 << 16

  /// Reads the first bytes of a file; `nil` where it is of no known kind, or cannot be read.
  package init?(contentsOf url: URL) {
    guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? file.close() }
    guard let head = try? file.read(upToCount: Self.headSize) else { return nil }
    self.init(head)
  }

  /// The kind of a folder in which a program keeps a model; `nil` for others.
  package init?(folder: URL) {
    let marks: [(String, FileKind)] = [
      ("saved_model.pb", .savedModel), ("coremldata.bin", .compiledCoreML),
    ]
    guard
      let kind = marks.first(where: {
        FileManager.default.fileExists(atPath: folder.appending(path: $0.0).path)
      })?.1
    else { return nil }
    self = kind
  }

  /// - Parameter data: A file, or as much of its beginning as is there.
  package init?(_ data: some Sequence<UInt8>) {
    let head = Head(data.prefix(Self.headSize))
    guard let kind = head.binaryKind ?? head.textKind else { return nil }
    self = kind
  }

  /// Whether files of this kind are read as pictures, videos or sound, or may be.
  package var isMedia: Bool { [.heic, .picture, .video, .sound].contains(self) }

  /// What a reader says of a file of this kind: what it is, what it should be, and what to do.
  ///
  /// - Parameter expected: What the reader reads: `media`, `poses`, `model` or `table`.
  package func refusal(of file: String, expected: Expectation) -> MessageText {
    MessageText(
      "foreignFile",
      ["file": file, "kind": rawValue, "expected": expected.rawValue, "remedy": rawValue])
  }

  /// What a reader reads.
  package enum Expectation: String { case media, poses, model, table }
}

/// The beginning of a file.
private struct Head {
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  private func begins(_ text: String, at offset: Int = 0) -> Bool {
    bytes.dropFirst(offset).starts(with: text.utf8)
  }

  private func begins(_ values: [UInt8], at offset: Int = 0) -> Bool {
    bytes.dropFirst(offset).starts(with: values)
  }

  private func contains(_ text: String) -> Bool {
    bytes.withUnsafeBytes { Data($0).range(of: Data(text.utf8)) != nil }
  }

  private func contains(anyOf texts: [String]) -> Bool { texts.contains(where: contains) }

  var binaryKind: FileKind? {
    if begins("ftyp", at: 4) { return isHEIC ? .heic : .video }
    if begins([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A]) { return hdf5Kind }
    if begins("PK\u{3}\u{4}") { return zipKind }
    if begins("TFL3", at: 4) { return .tensorFlowLite }
    if bytes.count >= 512, begins([0x02, 0x50]) { return .c3d }
    if begins([0x80]), let version = bytes.dropFirst().first, (2...5).contains(version) {
      return contains("torch") || begins([0x8A, 0x0A, 0x6C, 0xFC], at: 2) ? .pyTorch : .pickle
    }
    if let kind = protobufKind { return kind }
    let signatures: [(FileKind, [String])] = [
      (.parquet, ["PAR1", "ARROW1"]), (.matlab, ["MATLAB 5.0"]), (.database, ["SQLite format 3"]),
      (.pdf, ["%PDF"]), (.video, ["RIFF"]), (.picture, ["GIF8"]),
    ]
    if begins("BM"), begins([0, 0, 0, 0], at: 6) { return .picture }
    if begins("RIFF"), begins("WEBP", at: 8) { return .picture }
    if begins("RIFF"), begins("WAVE", at: 8) { return .sound }
    if let kind = signatures.first(where: { $0.1.contains { begins($0) } })?.0 { return kind }
    let values: [(FileKind, [[UInt8]])] = [
      (.numPyArray, [[0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59]]),
      (
        .picture,
        [
          [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], [0x49, 0x49, 0x2A, 0x00],
          [0x4D, 0x4D, 0x00, 0x2A],
        ]
      ), (.video, [[0x1A, 0x45, 0xDF, 0xA3]]),
      (
        .archive,
        [
          [0x1F, 0x8B], [0x37, 0x7A, 0xBC, 0xAF], [0x52, 0x61, 0x72, 0x21],
          [0xFD, 0x37, 0x7A, 0x58, 0x5A], [0x28, 0xB5, 0x2F, 0xFD], [0x42, 0x5A, 0x68],
        ]
      ),
    ]
    return values.first { $0.1.contains { begins($0) } }?.0
  }

  /// The brands of a container of pictures (ISO/IEC 23008-12): of those with AVIF's, FFmpeg reads some.
  private var isHEIC: Bool {
    let names = ["heic", "heix", "heim", "heis", "hevc", "hevx"]
    if names.contains(where: { begins($0, at: 8) }) { return true }
    let brands = bytes.dropFirst(16).prefix(32)
    return ["mif1", "msf1"].contains(where: { begins($0, at: 8) })
      && !Data(brands).contains(subsequence: "avif")
  }

  private var hdf5Kind: FileKind {
    if contains("df_with_missing") { return .deepLabCut }
    if contains(anyOf: ["track_occupancy", "tracking_scores", "node_names"]) { return .sleap }
    if contains(anyOf: ["keras_version", "model_weights", "layer_names"]) { return .keras }
    return .hdf5
  }

  private var zipKind: FileKind {
    if contains("/data.pkl") || contains("/byteorder") { return .pyTorch }
    if contains("model.weights.h5") { return .keras }
    if contains("[Content_Types].xml") || contains("opendocument.spreadsheet") {
      return .spreadsheet
    }
    return begins("PK\u{3}\u{4}") && contains(".npy") ? .numPyArchive : .zip
  }

  /// A model in protocol buffers, which begins with a version.
  ///
  /// In Core ML's (`Model.proto`) a description follows, a message; in ONNX's (`onnx.proto`) the name of
  /// the producer, a text, or another field.
  private var protobufKind: FileKind? {
    guard bytes.count > 8, bytes[0] == 0x08, bytes[1] < 0x40 else { return nil }
    let length = Int(bytes[3])
    let text = bytes.dropFirst(4).prefix(length)
    switch bytes[2] {
    case 0x12:
      let isText = !text.isEmpty && text.allSatisfy { (0x20..<0x7F).contains($0) }
      return isText && length < 0x80 ? .onnx : .coreML
    case 0x1A, 0x22, 0x32, 0x3A, 0x42: return .onnx
    default: return nil
    }
  }

  var textKind: FileKind? {
    if begins("version https://git-lfs") { return .gitLFS }
    let rest = Head(bytes.drop { " \t\r\n\u{FEFF}".utf8.contains($0) })
    if rest.begins("{") || rest.begins("[") { return rest.jsonKind }
    if rest.begins("<") { return rest.markupKind }
    let beginnings: [(FileKind, [String])] = [
      (.bvh, ["HIERARCHY"]), (.trc, ["PathFileType"]), (.deepLabCut, ["scorer,"]),
      (.textGrid, ["File type = \"ooTextFile"]), (.subtitles, ["WEBVTT", "1\n00:", "1\r\n00:"]),
      (.via, ["# Exported using VGG", "# CSV_HEADER", "filename,file_size,file_attributes"]),
      (.boris, ["Observation id"]), (.kinetics, ["label,youtube_id"]),
      (.sleap, ["track,frame_idx,instance.score"]),
    ]
    return beginnings.first { $0.1.contains { rest.begins($0) } }?.0
  }

  private var jsonKind: FileKind {
    let names: [(FileKind, [String])] = [
      (.openPose, ["\"pose_keypoints_2d\"", "\"pose_keypoints\"", "\"hand_left_keypoints_2d\""]),
      (.mediaPipe, ["andmarks\""]), (.mmPose, ["\"instance_info\"", "\"keypoint_scores\""]),
      (.via, ["\"_via_", "\"via_version\"", "\"vid_list\"", "\"region_attributes\""]),
      (.boris, ["\"project_format_version\"", "\"behaviors_conf\""]),
      (.activityNet, ["\"database\"", "\"taxonomy\""]),
      (.labelbox, ["\"data_row\"", "\"DataRow ID\""]), (.labelMe, ["\"imagePath\""]),
      (.tensorFlowJS, ["\"modelTopology\"", "\"weightsManifest\""]),
    ]
    // A frame of Kinema's own poses may have landmarks as well.
    if contains("\"persons\""), contains("\"joints\"") { return .json }
    if let kind = names.first(where: { contains(anyOf: $0.1) })?.0 { return kind }
    if contains("\"image_id\""), contains("\"keypoints\"") {
      return begins("[") ? .alphaPose : .coco
    }
    // A long list of images may hide what follows it.
    return contains("\"images\"") && contains(anyOf: ["\"categories\"", "\"file_name\""])
      ? .coco : .json
  }

  private var markupKind: FileKind {
    if contains("ANNOTATION_DOCUMENT") { return .elan }
    if contains("<annotations>"), contains(anyOf: ["<meta>", "<track", "<image"]) { return .cvat }
    let start = String(decoding: bytes.prefix(512), as: UTF8.self).lowercased()
    return start.contains("<html") || start.contains("<!doctype html") ? .webPage : .xml
  }
}

extension Data {
  fileprivate func contains(subsequence text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
