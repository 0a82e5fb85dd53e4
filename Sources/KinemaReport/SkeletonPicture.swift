package import Foundation
package import KinemaPose

/// A picture with the skeleton of a person in it.
package struct SkeletonPicture: Sendable {
  /// The picture as JPEG; `nil` for a pose file.
  package var jpeg: Data?
  /// Width by height of the picture.
  package var aspectRatio: Double
  /// The limbs: start and end, normalised to the picture, origin at the lower left.
  package var limbs: [(start: SIMD2<Float>, end: SIMD2<Float>)]

  package init(
    jpeg: Data?, aspectRatio: Double, limbs: [(start: SIMD2<Float>, end: SIMD2<Float>)]
  ) {
    (self.jpeg, self.aspectRatio, self.limbs) = (jpeg, aspectRatio, limbs)
  }

  /// A picture of the person or hand of a pose; without limbs where there is none.
  package init(jpeg: Data? = nil, aspectRatio: Double, pose: Pose?) {
    let wireframe: Wireframe = pose?.chirality == nil ? .body : .hand
    let segments = pose.map { wireframe.segments(of: $0) } ?? []
    self.init(
      jpeg: jpeg, aspectRatio: aspectRatio,
      limbs: segments.map { ($0.start.position, $0.end.position) })
  }

  /// The height of a drawing in its own units.
  private static let height = 400.0

  /// The picture as SVG.
  ///
  /// - Parameter label: What it shows, for those who do not see it.
  func drawing(label: String) -> HTML {
    let (width, height) = (Self.height * aspectRatio, Self.height)
    let image = jpeg.map { data -> HTML in
      """
      <image href="data:image/jpeg;base64,\(data.base64EncodedString())" width="\(width)" \
      height="\(height)" preserveAspectRatio="none"/>
      """
    }
    let lines = limbs.map { limb -> HTML in
      """
      <line x1="\(Double(limb.start.x) * width)" y1="\((1 - Double(limb.start.y)) * height)" \
      x2="\(Double(limb.end.x) * width)" y2="\((1 - Double(limb.end.y)) * height)"/>
      """
    }
    return """
      <svg class="skeleton" viewBox="0 0 \(width) \(height)" role="img" \
      aria-label="\(label)">\(image ?? .empty)\(HTML(lines))</svg>
      """
  }

  static let style: HTML = """
    .skeleton{background:var(--track);border-radius:8px}
    .skeleton line{stroke:#00d1b2;stroke-width:4;stroke-linecap:round}
    """
}
