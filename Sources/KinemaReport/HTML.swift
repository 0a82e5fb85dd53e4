import Foundation

/// A piece of a page.
///
/// Literals stand as they are written; every text that is interpolated is escaped, so that names
/// from files can hold anything.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  var source: String

  init(stringLiteral value: String) { source = value }

  init(stringInterpolation: Interpolation) { source = stringInterpolation.source }

  init(_ pieces: some Sequence<HTML>) { source = pieces.map(\.source).joined() }

  static let empty: HTML = ""

  static func + (left: HTML, right: HTML) -> HTML { HTML([left, right]) }

  static func += (left: inout HTML, right: HTML) { left.source += right.source }

  struct Interpolation: StringInterpolationProtocol {
    var source: String

    init(literalCapacity: Int, interpolationCount: Int) {
      source = ""
      source.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: String) { source += literal }

    mutating func appendInterpolation(_ text: String) { source += HTML.escaped(text) }

    mutating func appendInterpolation(_ piece: HTML) { source += piece.source }

    mutating func appendInterpolation(_ number: Int) { source += String(number) }

    /// A number for coordinates, with at most three decimals.
    mutating func appendInterpolation(_ number: Double) { source += HTML.fixed(number, 3) }
  }

  /// The text with everything replaced that has a meaning in HTML, in elements and attributes.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n": result += "&#10;"
      default:
        let category = scalar.properties.generalCategory
        let isUnseen = category == .control || category == .format
        result.unicodeScalars.append(isUnseen ? "\u{fffd}" : scalar)
      }
    }
    return result
  }

  static func fixed(_ number: Double, _ decimals: Int) -> String {
    guard number.isFinite else { return "–" }
    return String(format: "%.\(decimals)f", number)
  }

  /// A share as a percentage with one decimal.
  static func percent(_ share: Double) -> String { "\(fixed(share * 100, 1)) %" }

  /// A share as a percentage; a dash where there is none.
  static func percent(_ share: Double?) -> String { share.map { percent($0) } ?? "–" }

  /// A time as minutes and seconds, with a tenth.
  static func clock(_ seconds: Double) -> String {
    let tenths = Int((min(max(0, seconds), 359_999) * 10).rounded())
    let rest = tenths % 600
    return "\(tenths / 600):\(rest < 100 ? "0" : "")\(rest / 10).\(rest % 10)"
  }
}
