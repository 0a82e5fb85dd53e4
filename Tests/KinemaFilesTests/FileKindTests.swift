import Foundation
import KinemaErrors
import KinemaFiles
import KinemaTestSupport
import Testing

@Suite("Kinds of files by their first bytes")
struct FileKindTests {
  private static func zip(_ name: String) -> [UInt8] {
    Array("PK\u{3}\u{4}".utf8) + Array(repeating: 0, count: 26) + Array(name.utf8)
  }

  private static let samples: [(FileKind, [UInt8])] = [
    (.heic, [0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8)),
    (.heic, [0, 0, 0, 24] + Array("ftypmif1\0\0\0\0mif1heic".utf8)),
    (.video, [0, 0, 0, 24] + Array("ftypmif1\0\0\0\0mif1avif".utf8)),
    (.video, [0, 0, 0, 24] + Array("ftypisom\0\0\0\0".utf8)),
    (.picture, [0xFF, 0xD8, 0xFF, 0xE0]), (.picture, Array("RIFF\0\0\0\0WEBP".utf8)),
    (.sound, Array("RIFF\0\0\0\0WAVE".utf8)),
    (.gitLFS, Array("version https://git-lfs.github.com/spec/v1\noid sha256:0\n".utf8)),
    (.onnx, [0x08, 0x07, 0x12, 0x07] + Array("pytorch".utf8)),
    (.onnx, [0x08, 0x08, 0x3A, 0x80, 0x01, 0, 0, 0, 0]),
    (.coreML, [0x08, 0x01, 0x12, 0x20, 0x0A, 0x10, 0x0A, 0x05, 0x70]),
    (.tensorFlowLite, [0x1C, 0, 0, 0] + Array("TFL3".utf8)), (.pyTorch, zip("archive/data.pkl")),
    (.pyTorch, [0x80, 2, 0x8A, 0x0A, 0x6C, 0xFC]), (.pickle, [0x80, 4, 0x95, 0]),
    (.keras, zip("model.weights.h5")),
    (.keras, [0x89] + Array("HDF\r\n\u{1A}\nkeras_version".utf8)),
    (.deepLabCut, [0x89] + Array("HDF\r\n\u{1A}\ndf_with_missing".utf8)),
    (.hdf5, [0x89] + Array("HDF\r\n\u{1A}\n".utf8)), (.numPyArchive, zip("poses.npy")),
    (.spreadsheet, zip("[Content_Types].xml")), (.zip, zip("readme.txt")),
    (.c3d, [2, 0x50] + Array(repeating: 0, count: 600)), (.bvh, Array("HIERARCHY\nROOT Hips".utf8)),
    (.trc, Array("PathFileType\t4".utf8)),
    (.openPose, Array("{\"version\":1.3,\"people\":[{\"pose_keypoints_2d\":[".utf8)),
    (.mediaPipe, Array(" [{\"poseLandmarks\": [".utf8)),
    (.alphaPose, Array("[{\"image_id\":\"0.jpg\",\"category_id\":1,\"keypoints\":[".utf8)),
    (.coco, Array("{\"images\":[],\"annotations\":[],\"categories\":[".utf8)),
    (.coco, Array("{\"info\":{},\"images\":[{\"id\":1,\"file_name\":\"0.jpg\",".utf8)),
    (.mmPose, Array("{\"meta_info\":{},\"instance_info\":[".utf8)),
    (.deepLabCut, Array("scorer,DLC,DLC\nbodyparts,".utf8)),
    (.elan, Array("<?xml version=\"1.0\"?>\n<ANNOTATION_DOCUMENT ".utf8)),
    (.cvat, Array("<?xml?><annotations><version>1.1</version><meta>".utf8)),
    (.webPage, Array("\n<!DOCTYPE html><html>".utf8)), (.json, Array("{\"a\": 1}".utf8)),
    (.via, Array("filename,file_size,file_attributes,".utf8)),
    (.boris, Array("Observation id,Observation date".utf8)),
    (.activityNet, Array("{\"database\": {".utf8)), (.subtitles, Array("1\n00:00:01,000".utf8)),
    (.parquet, Array("PAR1".utf8)), (.archive, [0x1F, 0x8B, 8]), (.pdf, Array("%PDF-1.7".utf8)),
  ]

  @Test("each is known by its first bytes")
  func known() {
    for (kind, bytes) in Self.samples {
      #expect(FileKind(bytes) == kind, "\(String(decoding: bytes.prefix(40), as: UTF8.self))")
    }
  }

  @Test("texts, tables and what is too short are of no kind")
  func unknown() {
    for text in [
      "", "a", "BM", "PK", "file_name,label\na.mp4,squats\n", "BMI,label\n1,2\n",
      "This is a letter.",
    ] {
      #expect(FileKind(Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test("a folder in which a program keeps a model")
  func folders() throws {
    let folder = try TemporaryFolder()
    #expect(FileKind(folder: folder.url) == nil)
    try Data().write(to: folder.url("saved_model.pb"))
    #expect(FileKind(folder: folder.url) == .savedModel)
    let compiled = try TemporaryFolder()
    try Data().write(to: compiled.url("coremldata.bin"))
    #expect(FileKind(folder: compiled.url) == .compiledCoreML)
  }

  @Test("each has words and a remedy")
  func words() {
    for kind in FileKind.allCases {
      let sentence = kind.refusal(of: "a.x", expected: .media).sentence
      #expect(sentence.hasPrefix("a.x is a"), "\(sentence)")
      #expect(sentence.contains(", not a video or picture that can be read: "))
      #expect(!sentence.hasSuffix(": \(kind.rawValue)"))
    }
  }
}
