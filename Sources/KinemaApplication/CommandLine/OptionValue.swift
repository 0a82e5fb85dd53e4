import Foundation
import Kinema
import KinemaFiles

/// What the value of an option is: for completions, and for other languages.
enum OptionKind: Equatable {
  case `switch`, integer, number, text, file, folder, model
  case choice([String])
  /// A number, or one of these words.
  case numberOrWord([String])
}

/// A type of the values of options.
protocol OptionValue: Sendable {
  associatedtype Limit: Comparable & Sendable = Int
  static var kind: OptionKind { get }
  /// The value that a text stands for, `nil` for none; throws where that has a reason of its own.
  static func value(of text: String, within limits: ClosedRange<Limit>?) throws -> Self?
  /// What a text must be, such as “an integer from 1 to 4”.
  static func expectation(within limits: ClosedRange<Limit>?) -> String
  /// The value as written.
  var text: String { get }
}

extension OptionValue {
  static func expectation(within limits: ClosedRange<Limit>?) -> String { "a value" }
  var text: String { "\(self)" }
}

extension Optional: OptionValue where Wrapped: OptionValue {
  static var kind: OptionKind { Wrapped.kind }
  static func value(of text: String, within limits: ClosedRange<Wrapped.Limit>?) throws -> Self? {
    try Wrapped.value(of: text, within: limits).map { .some($0) }
  }
  static func expectation(within limits: ClosedRange<Wrapped.Limit>?) -> String {
    Wrapped.expectation(within: limits)
  }
}

extension OptionValue where Self: Numeric & LosslessStringConvertible, Limit == Self {
  static func value(of text: String, within limits: ClosedRange<Self>?) -> Self? {
    Self(text).flatMap { limits?.contains($0) ?? true ? $0 : nil }
  }
  static func expectation(within limits: ClosedRange<Self>?) -> String {
    (kind == .integer ? "an integer" : "a number")
      + (limits.map { " from \($0.lowerBound) to \($0.upperBound)" }
        ?? (Self.self == UInt64.self ? " from 0 on" : ""))
  }
}

extension Int: OptionValue { static var kind: OptionKind { .integer } }
extension UInt64: OptionValue { static var kind: OptionKind { .integer } }
extension Double: OptionValue {
  static var kind: OptionKind { .number }
  var text: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}

extension String: OptionValue {
  static var kind: OptionKind { .text }
  static func value(of text: String, within limits: ClosedRange<Int>?) -> String? { text }
}

/// Words separated by commas.
extension Array: OptionValue where Element == String {
  static var kind: OptionKind { .text }
  static func value(of text: String, within limits: ClosedRange<Int>?) -> [String]? {
    text.split(separator: ",").map(String.init)
  }
}

extension URL: OptionValue {
  static var kind: OptionKind { .file }
  static func value(of text: String, within limits: ClosedRange<Int>?) throws -> URL? {
    try StreamAddress.refuse(text)
    return URL(filePath: text)
  }
}

/// An address in the place of a file or folder, which would become folders of its name.
enum StreamAddress {
  /// Whether a text begins with a scheme, as `s3://bucket/key` does.
  static func isAddress(_ text: String) -> Bool {
    guard let end = text.range(of: "://")?.lowerBound, let first = text.first else { return false }
    return first.isASCII && first.isLetter
      && text[..<end].allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
      }
  }

  /// Throws ``UsageError`` for an address.
  static func refuse(_ text: String) throws {
    guard isAddress(text) else { return }
    throw UsageError(
      "\(text) is an address, and a path on this machine is needed: mount it, or take "
        + "kinema.cluster.PoseExtractor in Python, which reads and writes addresses.")
  }
}

extension OptionValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  static var kind: OptionKind { .choice(allCases.map(\.rawValue)) }
  static func value(of text: String, within limits: ClosedRange<Int>?) -> Self? {
    Self(rawValue: text)
  }
  static func expectation(within limits: ClosedRange<Int>?) -> String {
    "one of \(allCases.map(\.rawValue).joined(separator: ", "))"
  }
  var text: String { rawValue }
}

/// The size of a picture in pixels, such as `1920x1080`.
struct FrameSize: OptionValue {
  let width: Int
  let height: Int
  static var kind: OptionKind { .text }
  static func value(of text: String, within limits: ClosedRange<Int>?) -> FrameSize? {
    let size = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map {
      Int($0)
    }
    guard size.count == 2, let width = size[0], let height = size[1],
      (1...1 << 20).contains(width), (1...1 << 20).contains(height)
    else { return nil }
    return FrameSize(width: width, height: height)
  }
  static func expectation(within limits: ClosedRange<Int>?) -> String {
    "a width and a height in pixels, such as 1920x1080"
  }
  var text: String { "\(width)x\(height)" }
}

/// A folder, which need not be there.
struct FolderPath: OptionValue {
  let url: URL
  static var kind: OptionKind { .folder }
  static func value(of text: String, within limits: ClosedRange<Int>?) throws -> FolderPath? {
    try StreamAddress.refuse(text)
    return FolderPath(url: URL(filePath: text))
  }
}

/// A file to write, where that is possible.
struct OutputFile: OptionValue {
  let url: URL
  static var kind: OptionKind { .file }
  static func value(of text: String, within limits: ClosedRange<Int>?) throws -> OutputFile? {
    try StreamAddress.refuse(text)
    let url = URL(filePath: text)
    try WholeFile.checkWritable(url)
    return OutputFile(url: url)
  }
}

/// A page to write.
struct ReportFile: OptionValue {
  let url: URL
  static var kind: OptionKind { .file }
  static func value(of text: String, within limits: ClosedRange<Int>?) throws -> ReportFile? {
    let file = try OutputFile.value(of: text, within: limits)
    return file.flatMap {
      ["html", "htm"].contains($0.url.pathExtension.lowercased()) ? ReportFile(url: $0.url) : nil
    }
  }
  static func expectation(within limits: ClosedRange<Int>?) -> String {
    "a name that ends in .html"
  }
}

/// A model's file, or the built-in model of a name.
struct NamedModel: OptionValue {
  let url: URL
  /// As it was named.
  let text: String

  /// - Throws: ``ActionError`` where a name without a folder and an extension is that of no model.
  init(named name: String) throws {
    let file = URL(filePath: name)
    text = name
    if FileManager.default.fileExists(atPath: file.path) {
      url = file
    } else if let model = BuiltInModel(rawValue: name) {
      url = try model.url
    } else if name.contains("/") || name.contains(".") {
      url = file
    } else {
      let names = BuiltInModel.allCases.map(\.rawValue)
      let nearest = Spelling.nearest(to: name, among: names) ?? names[0]
      throw ActionError(
        .notFound,
        MessageText(
          "unknownModel",
          ["name": name, "names": names.joined(separator: ", "), "nearest": nearest]))
    }
  }

  /// What reads the classifier of a name, or where none is named another one, Exercise by default.
  static func classifiers(
    otherwise other: NamedModel?
  ) -> @Sendable (String?) throws -> ActionClassifier {
    let builtIn = other?.text ?? BuiltInModel.exercise.rawValue
    return { try ActionClassifier(contentsOf: NamedModel(named: $0 ?? builtIn).url) }
  }

  static var kind: OptionKind { .model }
  static func value(of text: String, within limits: ClosedRange<Int>?) throws -> NamedModel? {
    try NamedModel(named: text)
  }
}

extension ProcessingRate: OptionValue {
  private static let words: [(String, ProcessingRate)] = [("auto", .auto), ("all", .all)]
  static var kind: OptionKind { .numberOrWord(words.map(\.0)) }
  static func value(of text: String, within limits: ClosedRange<Double>?) -> ProcessingRate? {
    if let word = words.first(where: { $0.0 == text }) { return word.1 }
    return Double.value(of: text, within: limits).map { .atMost($0) }
  }
  static func expectation(within limits: ClosedRange<Double>?) -> String {
    "auto, all, or " + Double.expectation(within: limits)
  }
  var text: String {
    switch self {
    case .all: "all"
    case .auto: "auto"
    case .atMost(let rate): rate.text
    }
  }
}

extension NetworkPrecision: OptionValue {
  static let help = "full (default), or fast where the processor has bf16."
}

extension NetworkDevice: OptionValue {
  static let help = "Run on CPU (default), Intel's GPU or NPU, or AUTO; see kinema doctor."

  static let poseHelp =
    "Find poses on CPU (default), Intel's GPU or NPU, or AUTO; see kinema doctor."

  /// In any case, as OpenVINO's own programs take it.
  static func value(of text: String, within limits: ClosedRange<Int>?) -> NetworkDevice? {
    NetworkDevice(rawValue: text.uppercased())
  }
}

extension CountingMethod: OptionValue {
  static let help = "How to count:"
}
