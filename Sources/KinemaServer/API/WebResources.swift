package import Foundation
import KinemaFiles

/// The pages that come with Kinema: `share/kinema/web` of an installed tree, `Resources/Web` of a
/// checkout.
package enum WebResources {
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
