import Foundation
import KinemaPose
import KinemaSynth
import KinemaTestSupport

/// A folder of motion capture, written as an archive and its index.
struct CaptureFolder {
  static let columns = "file,sequence,subject,label,kind,start,frames,note"
  private static let jointCount = 19

  let folder: TemporaryFolder
  var url: URL { folder.url }

  init() throws { folder = try TemporaryFolder() }

  /// Writes frames in metres, sequence by sequence.
  func write(_ sequences: [[CapturedMotion.Frame]], to name: String = "some.npz") throws {
    var deltas: [Int16] = []
    for frames in sequences {
      var before = CapturedMotion.Frame(repeating: .zero, count: Self.jointCount)
      for frame in frames {
        let places = frame.map { ($0 * 1000).rounded(.toNearestOrEven) }
        deltas += zip(before, places).flatMap { was, place in
          (0..<3).map { Int16(place[$0] - was[$0]) }
        }
        before = places
      }
    }
    let rows = deltas.count / (3 * Self.jointCount)
    try NumPyArchive.data(ofFiles: [
      ("delta_mm", Self.npy(deltas, shape: [rows, Self.jointCount, 3]))
    ]).write(to: url.appending(path: name))
  }

  /// An array of whole numbers of 16 bits, as the real archives have them.
  private static func npy(_ values: [Int16], shape: [Int]) -> [UInt8] {
    var bytes = [UInt8](NumPyArray([Int32](), shape: shape).npy)
    if let size = bytes.firstRange(of: Array("<i4".utf8))?.last { bytes[size] = UInt8(ascii: "2") }
    return bytes
      + values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  func index(_ rows: [String], columns: String = columns) throws {
    try Data(([columns] + rows).joined(separator: "\n").utf8)
      .write(to: url.appending(path: "index.csv"))
  }

  /// A person who stands and faces +z, in metres; every frame a step further on.
  static func walker(frames: Int, step: Float = 0.03) -> [CapturedMotion.Frame] {
    (0..<frames).map { standing(at: SIMD3(0, 0, Float($0) * step)) }
  }

  static func standing(at place: SIMD3<Float> = .zero) -> CapturedMotion.Frame {
    var frame = CapturedMotion.Frame(repeating: .zero, count: jointCount)
    func put(_ joint: CapturedJoint, _ x: Float, _ y: Float, _ z: Float) {
      frame[joint.rawValue] = SIMD3(x, y, z) + place
    }
    put(.head, 0, 1.62, 0.02)
    put(.nose, 0, 1.6, 0.12)
    put(.neck, 0, 1.45, 0)
    for (side, x) in [(0, Float(1)), (1, -1)] {
      func pair(_ joint: CapturedJoint, _ width: Float, _ y: Float, _ z: Float = 0) {
        frame[joint.rawValue + side] = SIMD3(x * width, y, z) + place
      }
      pair(.leftShoulder, 0.18, 1.42)
      pair(.leftElbow, 0.2, 1.13)
      pair(.leftWrist, 0.2, 0.87)
      pair(.leftHip, 0.1, 0.92)
      pair(.leftKnee, 0.1, 0.5)
      pair(.leftAnkle, 0.1, 0.08)
      pair(.leftHeel, 0.1, 0.03, -0.05)
      pair(.leftToe, 0.1, 0.02, 0.15)
    }
    return frame
  }
}
