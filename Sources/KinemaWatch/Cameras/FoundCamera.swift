import Foundation

/// A camera of the local network, with the streams that it names.
package struct FoundCamera: Hashable, Sendable {
  package let name: String
  package let host: String
  package let streams: [OnvifCamera.Stream]
  /// Why it names no stream, as a sentence.
  package let message: String?
}

extension CameraSearch {
  /// How many cameras are asked at the same time.
  private static let askedCount = 16

  /// Searches, and asks each device that answers for its streams.
  ///
  /// - Parameters: Those of ``devices(seconds:address:port:)``.
  ///   - login: What cameras ask for.
  /// - Returns: The cameras in the order of their addresses.
  /// - Throws: ``WatchError`` where there is no network.
  package static func cameras(
    login: OnvifCamera.Login?, seconds: Double = 3, address: String = group,
    port: Int = CameraSearch.port
  ) async throws -> [FoundCamera] {
    let devices = try await devices(seconds: seconds, address: address, port: port)
    return await withTaskGroup(of: (Int, FoundCamera).self) { group in
      var found = [FoundCamera?](repeating: nil, count: devices.count)
      for (index, device) in devices.enumerated() {
        if index >= askedCount, let (place, camera) = await group.next() { found[place] = camera }
        group.addTask { (index, await camera(of: device, login: login)) }
      }
      for await (place, camera) in group { found[place] = camera }
      return found.compactMap(\.self)
    }
  }

  private static func camera(of device: Device, login: OnvifCamera.Login?) async -> FoundCamera {
    let host = device.service.host ?? ""
    func camera(_ streams: [OnvifCamera.Stream], _ message: String?) -> FoundCamera {
      FoundCamera(name: device.name, host: host, streams: streams, message: message)
    }
    do {
      let streams = try await OnvifCamera(device.service, login: login).streams()
      return camera(streams, streams.isEmpty ? "\(host) has no stream over RTSP." : nil)
    } catch let error as WatchError {
      return camera([], error.message)
    } catch {
      return camera([], "\(host) does not name its streams: \(error).")
    }
  }
}
