package import Foundation
import KinemaErrors
import KinemaFiles

/// The pages that come with Kinema: `share/kinema/web` of an installed tree, `Resources/Web` of a
/// checkout.
package enum WebResources {
  /// The sentences of what Kinema reports, as a module for the pages: names begin with `error.`
  /// unless they have a kind of their own.
  static func reported() throws -> String {
    let named = MessageTable.templates.map {
      ($0.key.contains(".") ? $0.key : "error.\($0.key)", $0.value)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    let table = try encoder.encode(Dictionary(uniqueKeysWithValues: named))
    return "export const reported = \(String(decoding: table, as: UTF8.self));\n"
  }

  /// The folder of the pages; `nil` if it is not there.
  package static func folder(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    executable: URL = InstalledResource.executable,
    currentDirectory: URL = InstalledResource.currentDirectory
  ) -> URL? {
    InstalledResource("web/index.html", inCheckout: "Web/index.html").located(
      environment: environment, executable: executable, currentDirectory: currentDirectory
    )?.deletingLastPathComponent()
  }
}
