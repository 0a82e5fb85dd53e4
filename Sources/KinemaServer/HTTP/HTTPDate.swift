package import Glibc

/// Dates as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
package enum HTTPDate {
  /// The text for seconds since 1970.
  package static func text(for time: time_t) -> String {
    var time = time
    var parts = tm()
    gmtime_r(&time, &parts)
    let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday) % 7]
    let month = months[Int(parts.tm_mon) % 12]
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    return "\(weekday), \(twoDigits(parts.tm_mday)) \(month) \(1900 + parts.tm_year) \(clock) GMT"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func twoDigits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : String(number)
  }
}
