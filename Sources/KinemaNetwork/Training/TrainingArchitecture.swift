/// The kinds of networks that can be trained.
package enum TrainingArchitecture: String, Codable, Sendable, CaseIterable {
  /// Create ML's body action network: graph convolutions over the joints (Yan et al., *Spatial
  /// Temporal Graph Convolutional Networks*, AAAI 2018), about a million weights.
  case stgcn
  /// Temporal convolutions on windows normalised in location and scale, about 80,000 weights.
  case tcn
}
