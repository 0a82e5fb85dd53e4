import Foundation
import KinemaTestSupport
import Testing

@Suite(
  "Pictures of the pages", .serialized, .enabled(if: BrowserSteps.isAvailable, "no Chromium"))
struct PicturesLongTests {
  private static let script = "pictures.py"

  /// Whether the accepted pictures are set in the typefaces and by the browser of this machine.
  private static let areComparable: Bool = {
    let fonts = Process()
    fonts.executableURL = URL(filePath: "/usr/bin/python3")
    fonts.arguments = ["-B", BrowserSteps.path(of: script), "--fonts"]
    fonts.standardOutput = FileHandle.nullDevice
    guard (try? fonts.run()) != nil else { return false }  // Python is missing.
    fonts.waitUntilExit()
    return fonts.terminationStatus == 0
  }()

  @Test("what the pages are given for their pictures fits the schemas")
  func fit() async throws { try await Self.expect("fit") }

  @Test(
    "every page and state looks as it was accepted, at all sizes, dark and light",
    .enabled(
      if: areComparable,
      "No pictures are accepted that are set in these typefaces by this browser: pictures.py --fonts says why"
    ))
  func look() async throws { try await Self.expect("look") }

  @Test("in all states, themes and languages axe-core finds nothing; controls have names and room")
  func access() async throws { try await Self.expect("access") }

  private static func expect(_ step: String) async throws {
    let pictures = SharedData.packageRoot.appending(path: ".build/pictures")
    try await BrowserSteps.expect(
      [step], of: script,
      arguments: ["--program", Tool.executable.path, "--out", pictures.path])
  }
}
