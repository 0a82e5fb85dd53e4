package import Foundation

/// A part of the day, on some days of the week, in the computer's time zone.
package struct WatchSpan: Hashable, Sendable {
  /// The names of days, in the order of `Calendar`.
  private static let dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
  private static let minutesOfDay = 24 * 60

  /// Minutes after midnight; one that ends before it begins goes on into the next day.
  package let from: Int
  package let to: Int
  /// The days on which it begins, as `Calendar` counts them: 1 is Sunday.
  package let days: Set<Int>

  /// - Parameter place: Where it stands, for messages.
  init(_ value: Any, at place: String) throws(WatchError) {
    let span = try CheckedObject(value, at: place, known: ["from", "to", "days"])
    from = try Self.minutes(span, "from")
    to = try Self.minutes(span, "to")
    guard from != to else {
      throw WatchError(
        .malformed, "\(place): “from” and “to” are the same; leave both out for the whole day.")
    }
    guard let list = try span.list("days") else {
      days = Set(1...Self.dayNames.count)
      return
    }
    let numbers = list.compactMap { day in
      (day as? String).flatMap { Self.dayNames.firstIndex(of: $0) }.map { $0 + 1 }
    }
    guard !list.isEmpty, numbers.count == list.count else {
      throw span.error("days", "a list of \(CheckedObject.list(Self.dayNames))")
    }
    days = Set(numbers)
  }

  /// A time of day such as 06:30; without, the day's beginning or end.
  private static func minutes(_ span: CheckedObject, _ name: String) throws(WatchError) -> Int {
    guard let text = try span.text(name) else { return name == "from" ? 0 : minutesOfDay }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isNumber) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60,
      hour * 60 + minute <= minutesOfDay
    else { throw span.error(name, "a time of day from “00:00” to “24:00”") }
    return hour * 60 + minute
  }

  /// The span in words, such as “mon, sat 22:00–06:00”, its days from Monday on.
  package var sentence: String {
    func clock(_ minutes: Int) -> String {
      [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
    let week = Self.dayNames.indices.map { ($0 + 1) % Self.dayNames.count }
    let names = week.filter { days.contains($0 + 1) }.map { Self.dayNames[$0] }
    let day = names.count == week.count ? "daily" : names.joined(separator: ", ")
    return from == 0 && to == Self.minutesOfDay ? day : "\(day) \(clock(from))–\(clock(to))"
  }

  /// Whether a moment is within it.
  package func contains(_ date: Date, in calendar: Calendar) -> Bool {
    let parts = calendar.dateComponents([.weekday, .hour, .minute], from: date)
    guard let day = parts.weekday, let hour = parts.hour, let minute = parts.minute else {
      return false
    }
    let now = hour * 60 + minute
    if from < to { return days.contains(day) && (from..<to).contains(now) }
    let before = day == 1 ? Self.dayNames.count : day - 1
    return now >= from ? days.contains(day) : now < to && days.contains(before)
  }
}
