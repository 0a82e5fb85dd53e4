import Foundation
import KinemaTestSupport
import KinemaVideo
import Testing

@Suite("Frames that are bytes in a file")
struct RawPictureTests {
  private func pixels(_ frame: Frame) -> [[UInt8]] {
    frame.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 3]) }
    }
  }

  @Test(
    "red, green and blue are where the layout says", arguments: RawPicture.Layout.allCases)
  func layouts(layout: RawPicture.Layout) throws {
    let folder = try TemporaryFolder()
    // Red, and a dark blue; grey has the first byte of each.
    let colors: [[UInt8]] = [[255, 0, 0], [0, 1, 60]]
    let bytes = colors.flatMap { color -> [UInt8] in
      switch layout {
      case .rgb: color
      case .rgba: color + [9]
      case .bgr: color.reversed()
      case .bgra: color.reversed() + [9]
      case .gray: [color[0]]
      }
    }
    try Data([7, 7, 7] + bytes).write(to: folder.url("frame"))
    let picture = try RawPicture(
      file: folder.path("frame"), offset: 3, width: 1, height: 2, layout: layout)
    let frame = try RawPictureReader().frame(picture)
    #expect((frame.width, frame.height) == (1, 2))
    let expected = layout == .gray ? [[255, 255, 255], [0, 0, 0]] : colors
    #expect(pixels(frame) == expected)
  }

  @Test("what there cannot be is refused, and a file that is cut off between two frames as well")
  func refusals() throws {
    for (width, height, offset) in [
      (0, 1, 0), (1, -1, 0), (70_000, 1, 0), (60_000, 60_000, 0), (1, 1, -1),
    ] {
      #expect(throws: VideoError.self) {
        try RawPicture(file: "x", offset: offset, width: width, height: height, layout: .bgr)
      }
    }
    let folder = try TemporaryFolder()
    let file = folder.url("frame")
    try Data(repeating: 1, count: 12).write(to: file)
    let picture = try RawPicture(
      file: file.path, offset: 0, width: 2, height: 2, layout: .bgr)
    let reader = RawPictureReader()
    #expect(try reader.frame(picture).width == 2)
    #expect(truncate(file.path, 5) == 0)
    #expect { try reader.frame(picture) } throws: { ($0 as? VideoError)?.code == .truncated }
    let missing = try RawPicture(
      file: folder.path("nowhere"), offset: 0, width: 2, height: 2, layout: .bgr)
    #expect { try reader.frame(missing) } throws: { ($0 as? VideoError)?.code == .fileNotFound }
    let directory = try RawPicture(
      file: folder.url.path, offset: 0, width: 2, height: 2, layout: .bgr)
    #expect { try reader.frame(directory) } throws: { ($0 as? VideoError)?.code == .unreadableFile }
  }
}
