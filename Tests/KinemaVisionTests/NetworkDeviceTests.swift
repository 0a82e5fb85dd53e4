import Foundation
import KinemaPose
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Testing

struct NetworkDeviceTests {
  @Test(
    "a device is used where it is in the list, also one of several, and else the CPU",
    arguments: [
      (["CPU"], [NetworkDevice.cpu, .cpu, .cpu, .cpu]),
      (["CPU", "GPU", "AUTO"], [.cpu, .gpu, .cpu, .auto]),
      (["CPU", "GPU.0", "GPU.1", "NPU"], [.cpu, .gpu, .npu, .cpu]),
      (["CPU", "GPUS", "NPU1"], [.cpu, .cpu, .cpu, .cpu]), ([], [.cpu, .cpu, .cpu, .cpu]),
    ])
  func choice(names: [String], expected: [NetworkDevice]) {
    #expect(NetworkDevice.allCases.map { $0.chosen(from: names) } == expected)
  }

  @Test("OpenVINO finds the CPU and its name; a home without libraries has no devices")
  func found() throws {
    let devices = VisionRuntime.located().devices
    let cpu = try #require(devices.first { $0.name == "CPU" })
    #expect(cpu.fullName?.isEmpty == false)
    let nowhere = VisionRuntime(home: URL(filePath: "/nowhere"))
    #expect(nowhere.devices.isEmpty)
    #expect(NetworkDevice.allCases.allSatisfy { nowhere.usedDevice($0) == .cpu })
  }

  @Test("what OpenVINO chooses finds the poses of the CPU where there is nothing else")
  func automatic() async throws {
    let runtime = VisionRuntime.located()
    guard runtime.devices.map(\.name) == ["CPU", "AUTO"] else { return }
    let frame = try #require(try await Clip("ulisses_jacks.mp4").frames([6])[6])
    let expected = try await HumanBodyPoseExtractor().applied(to: frame)
    let found = try await HumanBodyPoseExtractor(configuration: .init(device: .auto))
      .applied(to: frame)
    #expect(found.count == expected.count && !found.isEmpty)
    for key in JointKey.body {
      let places = try (
        #require(expected.first?.keypoints[key]), #require(found.first?.keypoints[key])
      )
      let distance = places.0.position - places.1.position
      #expect(abs(distance.x) < 1e-4 && abs(distance.y) < 1e-4, "\(key)")
    }
  }

  @Test("a device that is not there is the CPU, with its poses and their place in the cache")
  func substitute() async throws {
    let runtime = VisionRuntime.located()
    guard let absent = NetworkDevice.allCases.first(where: { runtime.usedDevice($0) != $0 }) else {
      return
    }
    let frame = try #require(try await Clip("ulisses_jacks.mp4").frames([6])[6])
    let expected = try await HumanBodyPoseExtractor().applied(to: frame)
    let found = try await HumanBodyPoseExtractor(configuration: .init(device: absent))
      .applied(to: frame)
    #expect(found.map(\.keypoints) == expected.map(\.keypoints) && !found.isEmpty)
    func key(_ device: NetworkDevice) -> PoseCache.Key {
      PoseCache.key(content: "0", options: .init(subject: .bodies(.init(device: device))))
    }
    #expect(key(absent) == key(.cpu))
    if runtime.usedDevice(.auto) == .auto { #expect(key(.auto) != key(.cpu)) }
  }
}
