/// When the packets of a video track are shown, in the order of the file.
struct PacketTable {
  /// A packet of the track.
  struct Packet {
    /// When it is shown and when it is decoded, in ticks of the stream.
    let presentation: Int64
    let decoding: Int64
    /// When it is shown, in ticks of the frames' times.
    let time: Int
    /// Whether it resets the decoder.
    let isEntry: Bool
  }

  /// The packets at which decoding can begin: what comes before them is shown before them, what comes
  /// after them, after.
  let entries: [VideoSegment.Entry]
  /// When the last packet is shown, in ticks of the frames' times.
  let lastTime: Int

  /// - Parameter packets: The packets of the track that are shown, in the order of the file.
  /// - Returns: `nil` where their times are not in good order: negative, twice the same, or with a gap
  ///   of a day.
  init?(_ packets: [Packet]) {
    let times = packets.map(\.time).sorted()
    guard let first = times.first, let last = times.last, first >= 0,
      zip(times, times.dropFirst()).allSatisfy({
        $0 < $1 && $1 - $0 <= PresentationClock.maximumStep
      })
    else { return nil }
    lastTime = last
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
