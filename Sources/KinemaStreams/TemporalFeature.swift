public import Foundation

/// Where a value comes from and which stretch of time it stands for.
public struct TemporalSegmentIdentifier: Hashable, Codable, Sendable {
  /// The source: a file's full path, or a camera's name.
  public var source: String
  /// The stretch of time, in ticks of ``timescale``.
  public var range: Range<Int>
  /// The number of ticks in a second.
  public var timescale: Int

  /// Creates an identifier; seconds are ticks divided by `timescale`.
  public init(source: String, range: Range<Int>, timescale: Int) {
    self.source = source
    self.range = range
    self.timescale = timescale
  }

  /// The stretch of time in seconds.
  public var rangeInSeconds: Range<TimeInterval> {
    seconds(range.lowerBound)..<seconds(range.upperBound)
  }

  /// The length of the stretch in seconds.
  public var durationInSeconds: TimeInterval {
    seconds(range.count)
  }

  private func seconds(_ ticks: Int) -> TimeInterval {
    timescale > 0 ? TimeInterval(ticks) / TimeInterval(timescale) : 0
  }
}

/// A value with the stretch of time that it stands for.
public struct TemporalFeature<Feature>: Identifiable {
  /// Where the value comes from, and when.
  public var id: TemporalSegmentIdentifier
  /// The value.
  public var feature: Feature

  /// Stamps a value.
  public init(id: TemporalSegmentIdentifier, feature: Feature) {
    self.id = id
    self.feature = feature
  }
}

extension TemporalFeature: Sendable where Feature: Sendable {}
extension TemporalFeature: Equatable where Feature: Equatable {}
extension TemporalFeature: Hashable where Feature: Hashable {}
extension TemporalFeature: Encodable where Feature: Encodable {}
extension TemporalFeature: Decodable where Feature: Decodable {}
