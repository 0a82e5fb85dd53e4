import Glibc

/// Dates as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
package enum HTTPDate {
  /// The text for seconds since 1970.
  package static func text(for time: Int) -> String {
    var time = time_t(time)
    var parts = tm()
    gmtime_r(&time, &parts)
    let longest = 64
    var bytes = [CChar](repeating: 0, count: longest)
    // The program sets no locale, so that names are English.
    let count = strftime(&bytes, longest, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
