/// The times of a video track's packets, in file order.
struct PacketTable {
  struct Packet {
    /// Presentation and decoding time, in stream ticks.
    let presentation: Int64
    let decoding: Int64
    /// Presentation time, in ticks of the frames' times.
    let time: Int
    let isEntry: Bool
  }

  /// The packets at which decoding can start: all packets before are shown before, all after,
  /// after.
  let entries: [VideoSegment.Entry]
  /// The presentation times in order, in ticks of the frames' times.
  let times: [Int]
  var lastTime: Int { times.last ?? 0 }
  /// The length of the track with a mean duration for the last frame, in ticks of the frames' times.
  let length: Int

  /// - Returns: `nil` if times are negative, repeated, or have a gap of a day.
  init?(_ packets: [Packet]) {
    let times = packets.map(\.time).sorted()
    guard let first = times.first, let last = times.last, first >= 0,
      zip(times, times.dropFirst()).allSatisfy({
        $0 < $1 && $1 - $0 <= PresentationClock.maximumStep
      })
    else { return nil }
    self.times = times
    length = last + (last - first) / max(1, times.count - 1)
    // The earliest time from each packet on.
    var earliest = [Int](repeating: .max, count: packets.count + 1)
    for index in packets.indices.reversed() {
      earliest[index] = min(earliest[index + 1], packets[index].time)
    }
    var latest = -1
    var entries: [VideoSegment.Entry] = []
    for (index, packet) in packets.enumerated() {
      if packet.isEntry, latest < packet.time, packet.time < earliest[index + 1] {
        entries.append(
          VideoSegment.Entry(
            presentation: packet.presentation, decoding: packet.decoding, time: packet.time))
      }
      latest = max(latest, packet.time)
    }
    self.entries = entries
  }
}
