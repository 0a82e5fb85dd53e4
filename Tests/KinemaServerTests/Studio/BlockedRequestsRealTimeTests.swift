import Foundation
import KinemaHTTP
import KinemaStudio
import KinemaTestSupport
import Synchronization
import Testing

@Suite("Requests that block")
struct BlockedRequestsRealTimeTests {
  private let fixture: StudioFixture
  private let project: Project

  init() throws {
    fixture = try StudioFixture()
    project = try fixture.project(["a.npz": 2])
    _ = try project.add([NewItem(file: "a.npz", label: "swing")])
  }

  /// What the routes of a project answer to that reads or changes it, several times as much as there
  /// are processors.
  private var requests: [(method: String, target: String, body: String)] {
    let one: [(String, String, String)] = [
      ("GET", "", ""), ("GET", "/items", ""), ("GET", "/media", ""),
      ("GET", "/annotations?file=a.npz", ""), ("GET", "/annotations.csv", ""),
      ("PATCH", "", #"{"name":"Golf"}"#), ("DELETE", "/items", #"{"ids":["none"]}"#),
      ("POST", "/items", #"{"items":[{"file":"a.npz","label":"putt"}]}"#),
      ("POST", "/annotations/import", "file_name,label\na.npz,drive\n"),
      ("PUT", "/annotations?file=a.npz", #"{"segments":[{"label":"drive"}]}"#),
      ("POST", "/runs", ""),
    ]
    let count = 1 + 4 * ProcessInfo.processInfo.activeProcessorCount / one.count
    return (0..<count).flatMap { _ in
      one.map { ($0.0, "/api/v1/studio/projects/golf" + $0.1, $0.2) }
    }
  }

  @Test("hold up nobody else, however many they are, and are answered when they can be")
  func heldProject() async throws {
    let requests = requests
    let answered = Mutex<[String]>([])
    let (isHeld, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let holder = Thread { [project] in
      _ = try? project.update { _ in
        isHeld.signal()
        release.wait()
      }
    }
    holder.start()
    let statuses = try await fixture.serve { url -> [Int?] in
      isHeld.wait()
      let group = DispatchGroup()
      for (method, target, body) in requests {
        group.enter()
        let thread = Thread {
          let status = try? fetch(url, method, target, body: Data(body.utf8))?.status
          answered.withLock { $0.append("\(method) \(target): \(status ?? 0)") }
          group.leave()
        }
        thread.start()
      }
      // They arrive meanwhile; each of these would wait for them if they held a thread of the tasks.
      let others = try (0..<50).map { _ in
        usleep(10_000)
        return try fetch(url, "GET", "/healthz")?.status
      }
      #expect(answered.withLock { $0 } == [])
      release.signal()
      group.wait()
      return others
    }
    #expect(statuses == Array(repeating: 200, count: 50))
    let bad = answered.withLock { $0 }.filter { !$0.hasSuffix("200") && !$0.hasSuffix("201") }
    #expect(bad == [])
    #expect(answered.withLock { $0.count } == requests.count)
    await fixture.studio.shutDown()
  }
}
