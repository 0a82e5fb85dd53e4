import Foundation
import KinemaReport
import KinemaWatch

/// The cameras of the local network with the addresses of their streams, as a table.
struct CameraTable {
  let login: OnvifCamera.Login?

  /// - Parameter text: `USER:PASSWORD`, or `$NAME` of an environment variable that holds it.
  init(login text: String?) throws {
    guard var text else {
      login = nil
      return
    }
    if text.hasPrefix("$") {
      guard let value = ProcessInfo.processInfo.environment[String(text.dropFirst())] else {
        throw UsageError("--login is \(text), which is not in the environment; set it.")
      }
      text = value
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw UsageError("--login takes USER:PASSWORD, or $NAME of a variable that holds it.")
    }
    login = OnvifCamera.Login(user: String(parts[0]), password: String(parts[1]))
  }

  /// Searches, and asks each camera that answers.
  func text() async throws -> String {
    let cameras = try await CameraSearch.cameras(login: login)
    guard !cameras.isEmpty else {
      return """
        No camera has answered. Enable ONVIF in the camera's settings, and search from its own network:
        cameras behind a router are not found.

        """
    }
    var table = TextTable([
      ("camera", .left), ("stream", .left), ("size", .left), ("address", .left),
    ])
    for camera in cameras {
      let name = "\(camera.name) (\(camera.host))"
      for stream in camera.streams {
        table.add([name, stream.name, stream.size ?? "–", stream.address])
      }
      if camera.streams.isEmpty { table.add([name, "–", "–", "–"]) }
    }
    let notes = cameras.compactMap(\.message).map { "Note: \($0)\n" }
    return table.text + notes.joined()
      + "Watch one: kinema watch 'rtsp://USER:PASSWORD@HOST/…', with the camera's user in it.\n"
  }
}
