import Foundation
import KinemaAction
import KinemaErrors
import KinemaModelFiles
import KinemaTestSupport
import Testing

@Suite("Model packages")
struct ModelPackageTests {
  private static let model = WireMessage.classifier(layers: WireMessage.smallestLayers()).bytes

  private func package(
    path: String = "com.apple.CoreML/model.mlmodel", root: String = "A", bytes: [UInt8]? = nil
  ) throws -> (TemporaryFolder, URL) {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "Actions.mlpackage")
    let data = url.appending(path: "Data/com.apple.CoreML")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    try Data(bytes ?? Self.model).write(to: data.appending(path: "model.mlmodel"))
    // What the path leads to when it leaves the package.
    try Data(Self.model).write(to: folder.url.appending(path: "outside.mlmodel"))
    let manifest = """
      {"fileFormatVersion": "1.0.0", "rootModelIdentifier": "\(root)", "itemInfoEntries":
       {"A": {"author": "com.apple.CoreML", "description": "a model", "name": "model.mlmodel",
        "path": "\(path)"}}}
      """
    try Data(manifest.utf8).write(to: url.appending(path: "Manifest.json"))
    return (folder, url)
  }

  @Test("the model that the manifest names is loaded")
  func plain() throws {
    let (folder, url) = try package()
    #expect(try ActionClassifier(contentsOf: url).labels == ["a", "b"])
    withExtendedLifetime(folder) {}
  }

  @Test(
    "a path that leaves the package is refused",
    arguments: ["../../outside.mlmodel", "../../../../../../etc/passwd", "..", ""])
  func leaving(path: String) throws {
    let (folder, url) = try package(path: path)
    let error = try #require(refusal(of: url))
    #expect(error.code == .malformedModel)
    #expect(error.message == "“Actions.mlpackage” has a manifest that leads out of the package")
    withExtendedLifetime(folder) {}
  }

  @Test("a link that leaves the package is refused")
  func link() throws {
    let (folder, url) = try package(path: "link.mlmodel")
    try FileManager.default.createSymbolicLink(
      at: url.appending(path: "Data/link.mlmodel"),
      withDestinationURL: folder.url.appending(path: "outside.mlmodel"))
    #expect(refusal(of: url)?.code == .malformedModel)
  }

  @Test("a manifest that names nothing, is none, or is missing is refused")
  func manifests() throws {
    let (_, unknown) = try withFolder { try package(root: "B") }
    #expect(unknown == "“Actions.mlpackage” has a manifest that names no model")
    let (folder, url) = try package()
    try Data("[1, 2]".utf8).write(to: url.appending(path: "Manifest.json"))
    #expect(refusal(of: url)?.code == .malformedModel)
    try FileManager.default.removeItem(at: url.appending(path: "Manifest.json"))
    #expect(refusal(of: url)?.code == .malformedModel)
    withExtendedLifetime(folder) {}
  }

  @Test("a compiled model, from an app, says that it cannot be turned back, and what to give")
  func compiled() throws {
    let folder = try TemporaryFolder()
    let url = folder.url("Actions.mlmodelc")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for name in ["coremldata.bin", "model.espresso.net", "model.espresso.weights"] {
      try Data("{}".utf8).write(to: url.appending(path: name))
    }
    let error = expectError(ActionError.self) { try ActionClassifier(contentsOf: url) }
    let message = error?.message ?? ""
    #expect(message.contains("Actions.mlmodelc is a compiled Core ML model"), "\(message)")
    #expect(message.contains("cannot be turned back; give the .mlmodel or .mlpackage"))
  }

  @Test("a package of an ML program says so")
  func program() throws {
    let bytes = WireMessage().integer(1, 8).message(2, WireMessage()).message(502, WireMessage())
    let (_, message) = try withFolder { try package(bytes: bytes.bytes) }
    #expect(message?.hasPrefix("“Actions.mlpackage” is an ML program with no input") == true)
  }

  private func withFolder(
    _ make: () throws -> (TemporaryFolder, URL)
  ) throws -> (TemporaryFolder, String?) {
    let (folder, url) = try make()
    return (folder, refusal(of: url)?.message)
  }
}
