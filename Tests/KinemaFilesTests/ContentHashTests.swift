import Foundation
import KinemaFiles
import KinemaTestSupport
import Testing

@Suite("The hash of a content")
struct ContentHashTests {
  // The values are those of FIPS 180-4's examples.
  @Test(
    "is SHA-256, of bytes and of files",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func sha256(text: String, hash: String) throws {
    let folder = try TemporaryFolder()
    let url = folder.url("content")
    try Data(text.utf8).write(to: url)
    #expect(ContentHash.sha256(of: Data(text.utf8)) == hash)
    #expect(try ContentHash.sha256(ofFileAt: url) == hash)
  }

  @Test("of a file that is not there is an error")
  func missing() throws {
    let url = try TemporaryFolder().url("none.mp4")
    #expect(throws: (any Error).self) { try ContentHash.sha256(ofFileAt: url) }
  }
}
