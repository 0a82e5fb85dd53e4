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
