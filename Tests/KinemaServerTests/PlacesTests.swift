import Foundation
import KinemaServer
import KinemaTestSupport
import Testing

@Suite("Where the app's files are")
struct PlacesTests {
  @Test("pages are found in a home, beside the executable and in a checkout")
  func pages() throws {
    let root = try TemporaryFolder()
    let executable = root.url.appending(path: "tree/bin/kinema")
    func found(_ environment: [String: String] = [:]) -> String? {
      WebResources.folder(
        environment: environment, executable: executable, currentDirectory: executable
      )?.standardizedFileURL.path
    }
    func make(_ path: String) throws -> String {
      let folder = root.url.appending(path: path)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: folder.appending(path: "index.html"))
      return folder.standardizedFileURL.path
    }
    #expect(found() == nil)
    let checkout = try make("Resources/Web")
    #expect(found() == checkout)
    let installed = try make("tree/share/kinema/web")
    #expect(found() == installed)
    let home = try make("home/share/kinema/web")
    #expect(found(["KINEMA_HOME": root.url.appending(path: "home").path]) == home)
  }

  @Test("the user's data lies where the desktop says, or in ~/.local/share")
  func data() {
    let home = URL(filePath: "/home/ada")
    func path(_ data: String?) -> String {
      DataFolder.url(environment: data.map { ["XDG_DATA_HOME": $0] } ?? [:], home: home).path
    }
    #expect(path("/data") == "/data/kinema")
    for other in [nil, "", "relative"] { #expect(path(other) == "/home/ada/.local/share/kinema") }
  }
}
