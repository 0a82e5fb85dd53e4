package import Foundation
import Glibc

/// Session times as text, without a formatter, which would load megabytes of locale data.
package enum SessionTime {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The default name of a session: local date and time, such as `20 November, 14:05`.
  package static func name(of date: Date) -> String {
    var seconds = wholeSeconds(of: date)
    var local = tm()
    guard localtime_r(&seconds, &local) != nil, months.indices.contains(Int(local.tm_mon)) else {
      return text(of: date)
    }
    let time = "\(padded(local.tm_hour)):\(padded(local.tm_min))"
    return "\(local.tm_mday) \(months[Int(local.tm_mon)]), \(time)"
  }

  /// ISO 8601 in UTC and whole seconds, such as `2026-11-20T14:05:11Z`.
  package static func text(of date: Date) -> String {
    var seconds = wholeSeconds(of: date)
    var utc = tm()
    gmtime_r(&seconds, &utc)
    let day =
      "\(padded(utc.tm_year + 1900, to: 4))-\(padded(utc.tm_mon + 1))-\(padded(utc.tm_mday))"
    return "\(day)T\(padded(utc.tm_hour)):\(padded(utc.tm_min)):\(padded(utc.tm_sec))Z"
  }

  /// The time of a ``text(of:)``; `nil` for other text.
  package static func date(from text: String) -> Date? {
    let bytes = Array(text.utf8)
    let pattern = Array("0000-00-00T00:00:00Z".utf8)
    let zero = UInt8(ascii: "0")
    guard bytes.count == pattern.count else { return nil }
    var numbers: [Int32] = [0]
    for (byte, wanted) in zip(bytes, pattern) {
      if wanted == zero {
        guard (zero...UInt8(ascii: "9")).contains(byte) else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int32(byte - zero)
      } else {
        guard byte == wanted else { return nil }
        numbers.append(0)
      }
    }
    var utc = tm()
    utc.tm_year = numbers[0] - 1900
    utc.tm_mon = numbers[1] - 1
    utc.tm_mday = numbers[2]
    utc.tm_hour = numbers[3]
    utc.tm_min = numbers[4]
    utc.tm_sec = numbers[5]
    let date = Date(timeIntervalSince1970: TimeInterval(timegm(&utc)))
    // 30 February would come back as another day.
    return Self.text(of: date) == text ? date : nil
  }

  /// The whole seconds since 1970, within the years 1 to 9999.
  static func wholeSeconds(of date: Date) -> time_t {
    let seconds = date.timeIntervalSince1970
    guard seconds.isFinite else { return 0 }
    return time_t(min(max(seconds.rounded(.down), -62_135_596_800), 253_402_300_799))
  }

  private static func padded(_ number: Int32, to length: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, length - digits.count)) + digits
  }
}
