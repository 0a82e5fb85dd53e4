import Foundation
import KinemaFiles
import KinemaPose
import KinemaRandom
import KinemaRendering
import KinemaReport
import KinemaStreams
import KinemaSynth
import KinemaVideo
package import KinemaVision
import KinemaWatch

/// `kinema bench entrances`: how much later the cost ladder finds a person who enters a room than a source of
/// which every frame is processed.
///
/// Synthetic people walk into the view, near and far, by steady, changing and flickering light and with
/// the noise of a camera; in a third of the rooms somebody stands already and hardly moves, in another one
/// somebody exercises. Time is that of the pictures: nothing depends on the speed of the machine.
package struct EntranceBench: Sendable {
  /// How the light of a room changes.
  enum Light: String, CaseIterable, Codable, Sendable {
    case steady, dimming, switching, flickering

    /// By how much pixels are brighter at a time, when somebody enters at `entry`.
    func factor(at time: Double, entry: Double) -> Float {
      switch self {
      case .steady: 1
      // Dusk: half the light in a minute.
      case .dimming: Float(exp2(-time / 60))
      case .switching: time < entry - 1 ? 1 : 0.75
      // Mains light before a camera: three hundredths.
      case .flickering: Float(1 + 0.03 * sin(2 * .pi * 3.1 * time))
      }
    }
  }

  /// Who is in the room already.
  package enum Company: String, CaseIterable, Encodable, Sendable {
    case nobody, still, moving

    var title: String {
      switch self {
      case .nobody: "an empty room"
      case .still: "beside a still person"
      case .moving: "beside one who exercises"
      }
    }

    /// What they may do.
    var motions: [Motion] {
      switch self {
      case .nobody: []
      case .still: [.standing]
      case .moving: [.squats, .jumpingJacks]
      }
    }
  }

  package struct Entrance: Encodable, Sendable {
    let light: Light
    /// The height of the person as a share of the frame's.
    let share: Float
    /// The deviation of the noise in 8-bit steps.
    let noise: Float
    package let company: Company
    /// When the person is reported to enter, in seconds since their walk began; `nil` for never.
    package var full: Double?
    package var ladder: Double?
    /// The frames that were processed before somebody entered, a second.
    package var rateBefore = 0.0

    /// How much later the ladder is, in seconds; `nil` where every frame finds nobody either.
    var delay: Double? { full.map { (ladder ?? .infinity) - $0 } }
  }

  package struct Report: BenchReport {
    /// The delay that is allowed, in seconds.
    package static let allowedDelay = 0.7
    var schema = 3
    package var entrances: [Entrance] = []

    private var delays: [Double] { entrances.compactMap(\.delay).sorted() }
    /// The share of the entrances that every frame finds which the ladder finds in time.
    package var punctualShare: Double {
      Double(delays.count { $0 <= Self.allowedDelay }) / Double(max(1, delays.count))
    }

    package var table: String {
      var table = TextTable([
        ("light", .left), ("entrances", .right), ("found by every frame", .right),
        ("by the ladder", .right), ("in time", .right), ("median delay", .right),
        ("largest", .right), ("median time", .right), ("frames a second before", .right),
      ])
      func add(_ name: String, _ rows: [Entrance]) {
        let delays = rows.compactMap(\.delay).sorted()
        let times = rows.compactMap(\.ladder).sorted()
        let rate = rows.reduce(0) { $0 + $1.rateBefore } / Double(max(1, rows.count))
        table.add([
          name, "\(rows.count)", "\(delays.count)", "\(rows.count { $0.ladder != nil })",
          "\(delays.count { $0 <= Self.allowedDelay })",
          delays.isEmpty ? "–" : "\(delays[delays.count / 2].fixed(2)) s",
          delays.last.map { $0.isFinite ? "\($0.fixed(2)) s" : "missed" } ?? "–",
          times.isEmpty ? "–" : "\(times[times.count / 2].fixed(2)) s", rate.fixed(2),
        ])
      }
      for light in Light.allCases { add(light.rawValue, entrances.filter { $0.light == light }) }
      for company in Company.allCases {
        add(company.title, entrances.filter { $0.company == company })
      }
      add("all", entrances)
      return table.text
    }
  }

  package var count = 200
  package var seed: UInt64 = 1
  private static let size = (width: 640, height: 360)
  private static let frameRate = 25.0
  /// When somebody enters, and how long is waited for the event, in seconds.
  private static let entry = 9.0
  private static let longestWait = 8.0
  /// The pace of people, in metres a second.
  private static let pace: ClosedRange<Float> = 0.8...1.5
  /// The heights of people as shares of the frame's: the detector finds an eighth of the longer side.
  private static let shares: ClosedRange<Float> = 0.25...0.9
  private static let noises: ClosedRange<Float> = 0...6

  package init() {}

  package func run(
    _ pool: PosePool, subject: PoseSubject = .bodies(.init()),
    progress: @escaping @Sendable (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) async throws -> Report {
    let limit = ProcessInfo.processInfo.activeProcessorCount
    let entrances = try await ConcurrentWork.run(count, limit: limit, progress: progress) { index in
      try await entrance(index, pool: pool, subject: subject)
    }
    return Report(entrances: entrances)
  }

  private func entrance(
    _ index: Int, pool: PosePool, subject: PoseSubject
  ) async throws -> Entrance {
    var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(index))
    let share = generator.uniform(Self.shares)
    let turn = index / Light.allCases.count
    var entrance = Entrance(
      light: Light.allCases[index % Light.allCases.count], share: share,
      noise: generator.uniform(Self.noises),
      company: Company.allCases[turn % Company.allCases.count])
    let room = Room(entrance, size: Self.size, using: &generator, pace: Self.pace)
    let end = Self.entry + Self.longestWait
    var countBefore = 0
    for isLadder in [false, true] {
      var playback = LadderPlayback(isFull: !isLadder, pool: pool, subject: subject)
      // Where every frame of an empty room is processed, the time before matters little.
      let start = isLadder || entrance.company != .nobody ? 0 : Self.entry - 1
      for step in Int(saturating: start * Self.frameRate)..<Int(saturating: end * Self.frameRate) {
        let time = Double(step) / Self.frameRate
        let happened = try await playback.add(at: time) {
          room.frame(at: time, entry: Self.entry)
        }
        if isLadder, time < Self.entry { countBefore = playback.processedCount }
        guard happened.contains(where: { $0.kind == .personEnters }), time >= Self.entry
        else { continue }
        if isLadder {
          entrance.ladder = time - Self.entry
        } else {
          entrance.full = time - Self.entry
        }
        break
      }
    }
    entrance.rateBefore = Double(countBefore) / Self.entry
    return entrance
  }

  /// A room into which a person walks.
  private struct Room {
    private let renderer: SyntheticRenderer
    private let light: Light

    init(
      _ entrance: Entrance, size: (width: Int, height: Int), using generator: inout SeededGenerator,
      pace: ClosedRange<Float>
    ) {
      light = entrance.light
      let person = SyntheticPerson.random(using: &generator)
      let appearance = SyntheticAppearance.random(using: &generator)
      let aspectRatio = Float(size.width) / Float(size.height)
      // Half the width of the view where the person walks, in metres.
      let reach = aspectRatio * person.stature / entrance.share / 2
      let side: Float = generator.chance(0.5) ? 1 : -1
      // Far enough that nobody is seen of whom the camera sees the side away from its axis.
      let (outside, place) = (side * 1.5 * reach, side * generator.uniform(-0.4...0.4) * reach)
      let seconds = Double(abs(outside - place) / generator.uniform(pace))
      let before = EntranceBench.entry
      let session = SyntheticSession(
        [
          .standing(seconds: before), .motion(.walking, seconds: seconds).onTheSpot(),
          .motion(.standing, seconds: EntranceBench.longestWait).onTheSpot(),
        ], person: person, seed: generator.next())
      let standing = SyntheticScene.Figure(session, appearance: appearance)
      var scene = SyntheticScene(
        framing: [standing], yawDegrees: generator.uniform(-10...10),
        pitchDegrees: generator.uniform(2...25), aspectRatio: aspectRatio,
        margin: (1 - entrance.share) / 2)
      let heading: Float = outside > place ? -90 : 90
      scene.figures[0].path = FloorPath([
        .init(time: before, position: SIMD2(outside, 0), headingDegrees: heading),
        .init(time: before + seconds, position: SIMD2(place, 0), headingDegrees: heading),
        .init(time: before + seconds + 0.5, position: SIMD2(place, 0), headingDegrees: 0),
      ])
      if let motion = entrance.company.motions.randomElement(using: &generator) {
        // Beside where the other one stops.
        let place = -side * generator.uniform(0.45...0.8) * reach
        let still = SyntheticSession(
          [.motion(motion, seconds: before + EntranceBench.longestWait).onTheSpot()],
          person: .random(using: &generator), seed: generator.next())
        var figure = SyntheticScene.Figure(still, appearance: .random(using: &generator))
        figure.path = FloorPath([.init(time: 0, position: SIMD2(place, 0), headingDegrees: 0)])
        scene.figures.append(figure)
      }
      renderer = SyntheticRenderer(
        scene, width: size.width, height: size.height, seed: generator.next(),
        noise: entrance.noise)
    }

    func frame(at time: Double, entry: Double) -> Frame {
      var frame = renderer.frame(at: time)
      let factor = light.factor(at: time, entry: entry)
      guard factor != 1 else { return frame }
      // A picture has a million values and a value only 256 levels.
      let levels = (0...255).map { UInt8(clamping: Int(saturating: Float($0) * factor)) }
      frame.withUnsafeMutableBytes { bytes in
        for index in bytes.indices { bytes[index] = levels[Int(bytes[index])] }
      }
      return frame
    }
  }
}
