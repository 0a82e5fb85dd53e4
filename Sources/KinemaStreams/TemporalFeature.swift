public import Foundation

/// The source of a value and its range of time.
public struct TemporalSegmentIdentifier: Hashable, Codable, Sendable {
  /// The source: a file's full path, or a camera's name.
  public var source: String
  /// The range of time, in ticks of ``timescale``.
  public var range: Range<Int>
  /// The number of ticks in a second.
  public var timescale: Int

  /// Creates an identifier; seconds are ticks divided by `timescale`.
  public init(source: String, range: Range<Int>, timescale: Int) {
    self.source = source
    self.range = range
    self.timescale = timescale
  }

  /// The range of time in seconds.
  public var rangeInSeconds: Range<TimeInterval> {
    seconds(range.lowerBound)..<seconds(range.upperBound)
  }

  private func seconds(_ ticks: Int) -> TimeInterval {
    timescale > 0 ? TimeInterval(ticks) / TimeInterval(timescale) : 0
  }
}

/// A value with its source and range of time.
public struct TemporalFeature<Feature>: Identifiable {
  /// The source and range of time.
  public var id: TemporalSegmentIdentifier
  /// The value.
  public var feature: Feature

  /// Creates a value with its source and range of time.
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
