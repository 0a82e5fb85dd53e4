import Foundation
import Kinema
import KinemaDepth
import KinemaFiles

/// The joints of one person in millimetres as motion capture (`.c3d`), which Mokka, Visual3D, Vicon Nexus and
/// ezc3d read: binary, little-endian, IEEE numbers (c3d.org, “C3D User Guide”).
///
/// A point's residual is 0, that of places which are computed, and −1 where the person is missing.
struct CaptureFile: PoseFormat {
  static let name = "c3d"
  static let fileExtension = "c3d"
  static let isText = false
  static let isOfBodies = true

  private let joints: [JointKey]
  private var person = MeasuredPerson()

  /// Files are made of blocks of so many bytes.
  private static let blockSize = 512
  /// The first block of the parameters, from 1: behind the header.
  private static let parameterBlock = 2
  /// Counts of frames have 16 bits.
  private static let largestFrameCount = 65_535
  /// The sign says that points are floating-point numbers; its magnitude would be the unit of whole ones: a
  /// 32,000th of the greatest value, here two metres.
  private static let scale: Float = -2000 / 32_000

  init(joints: [JointKey]) { self.joints = joints }

  mutating func add(_ frame: PosedFrame, of file: String, isStillImage: Bool) -> Data { Data() }

  mutating func add(_ frame: PosedFrame, _ bodies: [LiftedBody?]) -> Data {
    person.add(frame, bodies)
    return Data()
  }

  func finish() -> Data {
    let frames = person.frames
    let rate = Float(person.frameRate)
    // The parameters name the block behind them, so that their size must be known first.
    let size = parameters(frames.count, rate, dataBlock: 0).count
    let dataBlock = Self.parameterBlock + size / Self.blockSize
    var data =
      header(frames.count, rate, dataBlock: dataBlock)
      + parameters(frames.count, rate, dataBlock: dataBlock)
    for frame in frames {
      for key in joints {
        guard let joint = frame.body?.joints[key] else {
          for value: Float in [0, 0, 0, -1] { data.append(value) }
          continue
        }
        for axis in 0..<3 { data.append(1000 * joint.position[axis]) }
        data.append(0 as Float)
      }
    }
    data.pad(to: Self.blockSize)
    return data
  }

  private func header(_ frameCount: Int, _ rate: Float, dataBlock: Int) -> Data {
    var data = Data([UInt8(Self.parameterBlock), 0x50])
    // Points, analog values, first and last frame, longest gap that was interpolated.
    for value in [joints.count, 0, 1, frameCount, 0] { data.append(count: value) }
    data.append(Self.scale)
    for value in [dataBlock, 0] { data.append(count: value) }
    data.append(rate)
    data.pad(to: Self.blockSize)
    return data
  }

  private func parameters(_ frameCount: Int, _ rate: Float, dataBlock: Int) -> Data {
    let frames = min(frameCount, Self.largestFrameCount)
    let names = joints.map(\.rawValue)
    var point: [(String, ParameterValue)] = [
      ("USED", .integers([joints.count])), ("SCALE", .number(Self.scale)), ("RATE", .number(rate)),
      ("DATA_START", .integers([dataBlock])), ("FRAMES", .integers([frames])),
      ("LABELS", .texts(names)), ("DESCRIPTIONS", .texts(names)), ("UNITS", .text("mm")),
      ("X_SCREEN", .text("+X")), ("Y_SCREEN", .text("+Y")),
    ]
    if frameCount > frames { point.append(("LONG_FRAMES", .number(Float(frameCount)))) }
    let groups: [(String, [(String, ParameterValue)])] = [
      ("POINT", point),
      (
        "ANALOG",
        [("USED", .integers([0])), ("GEN_SCALE", .number(1)), ("RATE", .number(0))]
      ), ("FORCE_PLATFORM", [("USED", .integers([0]))]),
      (
        "TRIAL",
        [
          ("ACTUAL_START_FIELD", .integers([1, 0])),
          ("ACTUAL_END_FIELD", .integers([frameCount & 0xFFFF, frameCount >> 16])),
          ("CAMERA_RATE", .number(rate)),
        ]
      ),
      ("MANUFACTURER", [("COMPANY", .text("Kinema")), ("SOFTWARE", .text("Kinema"))]),
    ]
    var records = Data()
    for (number, (name, parameters)) in groups.enumerated() {
      records.appendRecord(name, group: -1 - number, content: Data())
      for (name, value) in parameters {
        records.appendRecord(name, group: 1 + number, content: value.content)
      }
    }
    // An empty name ends the records.
    records.append(contentsOf: [0, 0])
    let blockCount = (4 + records.count + Self.blockSize - 1) / Self.blockSize
    // 84: numbers as those of Intel's processors.
    var data = Data([1, 0x50, UInt8(clamping: blockCount), 84]) + records
    data.pad(to: Self.blockSize)
    return data
  }
}

/// A value of a parameter of a C3D file.
private enum ParameterValue {
  case integers([Int])
  case number(Float)
  case text(String)
  case texts([String])

  /// Type, dimensions and values.
  var content: Data {
    switch self {
    case .integers(let values):
      var data = Data(values.count == 1 ? [2, 0] : [2, 1, UInt8(clamping: values.count)])
      for value in values { data.append(count: value) }
      return data
    case .number(let value):
      var data = Data([4, 0])
      data.append(value)
      return data
    case .text(let text):
      return Data([0xFF, 1, UInt8(clamping: text.utf8.count)]) + Data(text.utf8)
    case .texts(let texts):
      let length = texts.map(\.utf8.count).max() ?? 0
      let padded = texts.map { $0.padding(toLength: length, withPad: " ", startingAt: 0) }
      return Data([0xFF, 2, UInt8(clamping: length), UInt8(clamping: texts.count)])
        + Data(padded.joined().utf8)
    }
  }
}

extension Data {
  /// Appends a number in four bytes, the lowest first.
  fileprivate mutating func append(_ value: Float) {
    Swift.withUnsafeBytes(of: value.bitPattern.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends a count in two bytes, the lowest first; the greatest that they hold for one beyond.
  fileprivate mutating func append(count: Int) {
    let value = UInt16(clamping: count)
    append(contentsOf: [UInt8(value & 0xFF), UInt8(value >> 8)])
  }

  /// Appends zeros up to a whole number of blocks.
  fileprivate mutating func pad(to blockSize: Int) {
    append(Data(count: (blockSize - count % blockSize) % blockSize))
  }

  /// Appends a group (number below 0) or a parameter of one, without a description.
  fileprivate mutating func appendRecord(_ name: String, group: Int, content: Data) {
    append(contentsOf: [UInt8(clamping: name.utf8.count), UInt8(bitPattern: Int8(clamping: group))])
    append(contentsOf: name.utf8)
    // The way from here to the next record.
    append(count: 2 + content.count + 1)
    append(content)
    append(0 as UInt8)
  }
}
