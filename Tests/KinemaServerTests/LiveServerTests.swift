import KinemaServer
import Testing

@Suite("Live server")
struct LiveServerTests {
  @Test("sources of the same name are numbered")
  func names() {
    #expect(
      LiveServer.distinct(["The stream from box", "a.mp4", "The stream from box", "b.mp4"])
        == ["The stream from box (1)", "a.mp4", "The stream from box (2)", "b.mp4"])
  }
}
