import KinemaOverlay
import KinemaPose
import KinemaVideo
import Testing

@Suite struct WireframeTableTests {
  @Test(
    "the live app's page gets the joints and limbs of the overlay",
    arguments: [("body", Wireframe.body), ("hand", Wireframe.hand)])
  func topology(name: String, wireframe: Wireframe) throws {
    let table = try #require(WireframeTable.all[name])
    #expect(table.joints.map(\.name) == wireframe.joints)
    #expect(
      table.limbs.map { $0.map { wireframe.joints[$0] } }
        == wireframe.limbs.map { [$0.start, $0.end] })
  }

  @Test("the page gets the colours that the overlay draws")
  func colors() throws {
    let table = try #require(WireframeTable.all["body"])
    var drawn = Frame.plain(0, width: 1280, height: 720)
    Overlay().draw([.standing], prominent: 0, on: &drawn)
    for limb in table.limbs {
      let ends = limb.map { table.joints[$0] }
      let points = try ends.map { try #require(Pose.standing.keypoints[$0.name]) }
      let middle = try (channels(ends[0].color) &+ channels(ends[1].color)) / 2
      let difference =
        drawn.color(at: (points[0].position + points[1].position) / 2) &- middle
      // Where limbs cross, the later one is on top.
      guard !["neck", "leftHip", "leftEye", "rightEye"].contains(ends[0].name.rawValue) else {
        continue
      }
      #expect(abs(difference.x) + abs(difference.y) + abs(difference.z) < 12, "\(ends)")
    }
  }

  /// The channels of `#rrggbb`.
  private func channels(_ color: String) throws -> SIMD3<Int> {
    let value = try #require(Int(color.dropFirst(), radix: 16))
    #expect(color.first == "#" && color.count == 7)
    return SIMD3(value >> 16, value >> 8 & 0xFF, value & 0xFF)
  }
}
