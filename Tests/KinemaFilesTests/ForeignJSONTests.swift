import Foundation
import KinemaFiles
import Testing

/// JSON that anybody may have written.
struct ForeignJSONTests {
  @Test(
    "a member whose name cannot be in JSON is an error",
    arguments: [
      "{\"a\u{19}b\": \"c\"}", #"{"a\qb": "c"}"#, #"{"\ud800": "c"}"#, #"{"\u12": "c"}"#,
      "{\"a\": \"b\u{1}\"}", "{\"a\": \"b\", \"a",
    ])
  func names(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decodeForeign([String: String].self, from: Data(text.utf8))
    }
  }

  @Test("names and texts with escapes, and a text alone, are read")
  func valid() throws {
    let object = Data(#"{"a\n\u00e9": "\ud83d\ude00"}"#.utf8)
    let decoder = JSONDecoder()
    #expect(try decoder.decodeForeign([String: String].self, from: object) == ["a\né": "😀"])
    #expect(try decoder.decodeForeign(String.self, from: Data(#""b""#.utf8)) == "b")
  }
}
