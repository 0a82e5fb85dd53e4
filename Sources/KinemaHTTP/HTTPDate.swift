import Glibc

/// Dates as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
package enum HTTPDate {
  /// The text for seconds since 1970.
  package static func text(for time: Int) -> String {
    var time = time_t(time)
    var parts = tm()
    gmtime_r(&time, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      // The program sets no locale, so that names are English.
      let count = strftime(text.baseAddress, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
      return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }
}
