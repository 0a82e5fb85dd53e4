import Foundation
import KinemaFiles
import KinemaHTTP
package import KinemaWatch
import Synchronization

/// Cameras of the server's network, which a page finds and adds to the watch file; see
/// `docs/live-protocol.md`.
package final class CameraRoutes: Sendable {
  /// Finds the cameras that answer.
  package typealias Search =
    @Sendable (_ login: OnvifCamera.Login?) async throws -> [FoundCamera]

  /// Those of the server's network.
  package static let network: Search = { try await CameraSearch.cameras(login: $0) }

  private struct Login: Decodable {
    var user: String?
    var password: String?

    /// `nil` without a user.
    var value: OnvifCamera.Login? {
      user.flatMap { $0.isEmpty ? nil : OnvifCamera.Login(user: $0, password: password ?? "") }
    }
  }

  private struct Addition: Decodable {
    var name: String
    var address: String
  }

  private let file: WatchFile?
  private let search: Search
  private let isSearching = Mutex(false)

  /// - Parameter file: To which cameras are added; without it, none are searched.
  init(file: WatchFile?, search: @escaping Search) {
    (self.file, self.search) = (file, search)
  }

  /// The cameras of the network with their streams.
  func cameras(_ body: Data) async throws -> HTTPResponse {
    guard file != nil else { throw ServerError(.notFound, MessageText("noCameraSearch")) }
    let login = try Self.decoded(Login.self, body, #"{} or {"user":"…","password":"…"}"#)
    guard
      isSearching.withLock({ isSearching in
        defer { isSearching = true }
        return !isSearching
      })
    else { throw ServerError(.busy, MessageText("searching")) }
    defer { isSearching.withLock { $0 = false } }
    do {
      let found = try await search(login.value)
      let object: JSONObject = ["schema": 1, "cameras": found.map(Self.object)]
      return try .json(object)
    } catch let error as WatchError {
      throw ServerError(.badRequest, MessageText("badSource", ["fault": error.message]))
    }
  }

  /// Adds a stream of a camera as a source to the file, from which it is read.
  func add(_ body: Data) throws -> HTTPResponse {
    guard let file else { throw ServerError(.notFound, MessageText("noCameraSearch")) }
    let expected = #"{"name":"…","address":"rtsp://…"}"#
    let addition = try Self.decoded(Addition.self, body, expected)
    let login = try Self.decoded(Login.self, body, expected)
    do {
      try file.add(addition.name, at: addition.address, login: login.value)
    } catch {
      throw ServerError(
        error.code == .storage ? .storage : .badRequest,
        MessageText("badSource", ["fault": error.message]))
    }
    let object: JSONObject = ["name": addition.name]
    return try .json(object, status: 201)
  }

  private static func decoded<Body: Decodable>(
    _ type: Body.Type, _ body: Data, _ expected: String
  ) throws -> Body {
    do {
      return try JSONDecoder().decodeForeign(type, from: body)
    } catch {
      throw ServerError(.badRequest, MessageText("badBody", ["fault": "send \(expected)."]))
    }
  }

  private static func object(_ camera: FoundCamera) -> JSONObject {
    [
      "name": camera.name, "host": camera.host, "message": JSONObject.orNull(camera.message),
      "streams": camera.streams.map { stream -> JSONObject in
        [
          "name": stream.name, "address": stream.address, "size": JSONObject.orNull(stream.size),
        ]
      },
    ]
  }
}
