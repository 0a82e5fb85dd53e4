internal import Foundation
internal import KinemaFiles
import KinemaFiles

/// A `.mlpackage`: a directory with a manifest that names the file of the model.
enum ModelPackage {
  private struct Manifest: Decodable {
    struct Item: Decodable {
      let path: String
    }

    let rootModelIdentifier: String
    let itemInfoEntries: [String: Item]
  }

  private static let maximumManifestByteCount = 1 << 20

  static func model(in package: URL) throws -> URL {
    let name = package.lastPathComponent
    if let kind = FileKind(folder: package) {
      throw ModelFileError(.malformedModel, kind.refusal(of: name, expected: .model))
    }
    let manifestFile = package.appending(path: "Manifest.json")
    guard FileManager.default.fileExists(atPath: manifestFile.path) else {
      throw ModelFileError(
        .malformedModel,
        "“\(name)” is a directory without a Manifest.json; give a .mlmodel or .mlpackage")
    }
    let manifest: Manifest
    do {
      let bytes = try ModelFile.read(
        manifestFile, limit: maximumManifestByteCount, name: "\(name)/Manifest.json")
      manifest = try JSONDecoder().decodeForeign(Manifest.self, from: Data(bytes))
    } catch let error as ModelFileError {
      throw error
    } catch {
      throw ModelFileError(
        .malformedModel, "“\(name)” has a Manifest.json that is none of a model package",
        cause: error)
    }
    guard let item = manifest.itemInfoEntries[manifest.rootModelIdentifier] else {
      throw ModelFileError(.malformedModel, "“\(name)” has a manifest that names no model")
    }
    let data = package.appending(path: "Data").resolvingSymlinksInPath().standardizedFileURL
    let file = data.appending(path: item.path).resolvingSymlinksInPath().standardizedFileURL
    guard file.path.hasPrefix(data.path + "/") else {
      throw ModelFileError(
        .malformedModel, "“\(name)” has a manifest that leads out of the package")
    }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory),
      !isDirectory.boolValue
    else {
      throw ModelFileError(
        .malformedModel, "“\(name)” lacks the model that its manifest names, “\(item.path)”")
    }
    return file
  }
}
