import Foundation
import KinemaTestSupport
import KinemaWatch
import Testing

/// Cameras of the network, simulated.
@Suite(.enabled(if: OnvifDevice.isAvailable, "python3 is not installed"))
struct CameraTests {
  private func found(_ device: OnvifDevice) async throws -> CameraSearch.Device {
    let devices = try await CameraSearch.devices(
      seconds: 2, address: "127.0.0.1", port: device.port)
    return try #require(devices.first)
  }

  @Test("a camera is found by its answer, and names its streams to who logs in by its clock")
  func search() async throws {
    let camera = try OnvifDevice(password: "se&cret")
    let device = try await found(camera)
    #expect(device.name == "Hall camera")
    #expect(
      device.service.absoluteString == "http://127.0.0.1:\(camera.port)/onvif/device_service")
    let login = OnvifCamera.Login(user: "viewer", password: "se&cret")
    let streams = try await OnvifCamera(device.service, login: login).streams()
    #expect(streams.map(\.name) == ["Main", "Sub"])
    #expect(
      streams.map(\.address) == [
        "rtsp://127.0.0.1:554/main?a=1&b=2", "rtsp://127.0.0.1:554/sub?a=1&b=2",
      ])
    #expect(streams.map(\.size) == ["1920 × 1080", "640 × 360"])
    func message(_ login: OnvifCamera.Login?) async throws -> String? {
      let cameras = try await CameraSearch.cameras(
        login: login, seconds: 2, address: "127.0.0.1", port: camera.port)
      #expect(cameras.map(\.name) == ["Hall camera"] && cameras.first?.host == "127.0.0.1")
      #expect(cameras.first?.streams.count == (login?.password == "se&cret" ? 2 : 0))
      return cameras.first?.message
    }
    #expect(try await message(login) == nil)
    #expect(
      try await message(nil) == "127.0.0.1 asks for a login: give its ONVIF user and password.")
    #expect(
      try await message(.init(user: "viewer", password: "wrong"))?.hasPrefix(
        "127.0.0.1 refuses the login (401)") == true)
  }

  @Test(
    "a camera without a login names its streams to everybody, and where nobody answers there is none"
  )
  func open() async throws {
    let camera = try OnvifDevice(password: "")
    #expect(try await OnvifCamera(found(camera).service, login: nil).streams().count == 2)
    let port = camera.port
    let silent = try await CameraSearch.devices(
      seconds: 0.2, address: "127.0.0.2", port: port)
    #expect(silent.isEmpty)
  }
}
