import Foundation
import KinemaTestSupport
import KinemaWatch
import Testing

/// A camera that answers as ONVIF devices do, simulated in Python.
@Suite(.enabled(if: Helpers.hasPython, "python3 is not installed"))
struct CameraTests {
  private let helpers: Helpers
  private let port = Helpers.freePort()

  init() throws { helpers = try Helpers() }

  /// A device on UDP and TCP whose clock is an hour ahead; it asks for a login if it has a password.
  private func start(password: String) async throws {
    _ = try helpers.python(
      """
      import base64, datetime, hashlib, http.server, re, socket, threading
      port, password = \(port), "\(password)"
      def probes():
          s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", port))
          while True:
              data, sender = s.recvfrom(65536)
              assert b"NetworkVideoTransmitter" in data and b"2005/04/discovery/Probe" in data
              s.sendto(b"no XML at all <", sender)
              s.sendto(('''<?xml version="1.0"?><e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"
                xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery"><e:Body><d:ProbeMatches><d:ProbeMatch>
                <d:Types>dn:NetworkVideoTransmitter</d:Types>
                <d:Scopes>onvif://www.onvif.org/type/video onvif://www.onvif.org/name/Hall%%20camera</d:Scopes>
                <d:XAddrs>http://192.0.2.7/onvif http://127.0.0.1:%d/onvif/device_service</d:XAddrs>
                </d:ProbeMatch></d:ProbeMatches></e:Body></e:Envelope>''' % port).encode(), sender)
      def is_login(body):
          if not password: return True
          part = lambda name: (re.search("<" + name + "(?: [^>]*)?>([^<]*)<", body) or [0, ""])[1]
          if not part("Created"): return False
          made = datetime.datetime.fromisoformat(part("Created").replace("Z", "+00:00"))
          ahead = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
          digest = hashlib.sha1(base64.b64decode(part("Nonce")) + part("Created").encode() + password.encode())
          return (abs((made - ahead).total_seconds()) < 60 and part("Username") == "viewer"
              and base64.b64encode(digest.digest()).decode() == part("Password"))
      class Handler(http.server.BaseHTTPRequestHandler):
          def log_message(self, *_): pass
          def do_POST(self):
              body = self.rfile.read(int(self.headers["content-length"])).decode()
              now = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
              if "GetSystemDateAndTime" in body:
                  answer = ("<tt:UTCDateTime><tt:Time><tt:Hour>%d</tt:Hour><tt:Minute>%d</tt:Minute><tt:Second>%d"
                    "</tt:Second></tt:Time><tt:Date><tt:Year>%d</tt:Year><tt:Month>%d</tt:Month><tt:Day>%d</tt:Day>"
                    "</tt:Date></tt:UTCDateTime>" % (now.hour, now.minute, now.second, now.year, now.month, now.day))
              elif not is_login(body): return self.send_error(401)
              elif "GetCapabilities" in body:
                  answer = ("<tt:Media><tt:XAddr>http://192.0.2.7:%d/onvif/media</tt:XAddr></tt:Media>" % port)
              elif "GetProfiles" in body:
                  answer = "".join('''<trt:Profiles fixed="true" token="%s"><tt:Name>%s</tt:Name>
                    <tt:VideoEncoderConfiguration token="e"><tt:Name>inner</tt:Name><tt:Resolution><tt:Width>%d</tt:Width>
                    <tt:Height>%d</tt:Height></tt:Resolution></tt:VideoEncoderConfiguration></trt:Profiles>''' % p
                    for p in (("main&amp;1", "Main", 1920, 1080), ("sub", "Sub", 640, 360)))
              elif "GetStreamUri" in body:
                  token = re.search("<ProfileToken>([^<]*)<", body)[1]
                  answer = ("<trt:MediaUri><tt:Uri>rtsp://127.0.0.1:554/%s?a=1&amp;b=2</tt:Uri></trt:MediaUri>"
                    % {"main&amp;1": "main", "sub": "sub"}[token])
              data = ("<s:Envelope xmlns:s='x'><s:Body>%s</s:Body></s:Envelope>" % answer).encode()
              self.send_response(200)
              self.send_header("content-length", str(len(data))); self.end_headers()
              self.wfile.write(data)
      threading.Thread(target=probes, daemon=True).start()
      http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
      """)
    try #require(await Helpers.wait { Helpers.isOpen(port) })
  }

  private func found() async throws -> CameraSearch.Device {
    let devices = try await CameraSearch.devices(seconds: 2, address: "127.0.0.1", port: port)
    return try #require(devices.first)
  }

  @Test("a camera is found by its answer, and names its streams to who logs in by its clock")
  func search() async throws {
    try await start(password: "se&cret")
    let device = try await found()
    #expect(device.name == "Hall camera")
    #expect(device.service.absoluteString == "http://127.0.0.1:\(port)/onvif/device_service")
    let login = OnvifCamera.Login(user: "viewer", password: "se&cret")
    let streams = try await OnvifCamera(device.service, login: login).streams()
    #expect(streams.map(\.name) == ["Main", "Sub"])
    #expect(
      streams.map(\.address) == [
        "rtsp://127.0.0.1:554/main?a=1&b=2", "rtsp://127.0.0.1:554/sub?a=1&b=2",
      ])
    #expect(streams.map(\.size) == ["1920 × 1080", "640 × 360"])
    func message(_ login: OnvifCamera.Login?) async -> String {
      do {
        _ = try await OnvifCamera(device.service, login: login).streams()
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(await message(nil) == "127.0.0.1 asks for a login; give --login USER:PASSWORD.")
    #expect(
      await message(.init(user: "viewer", password: "wrong")).hasPrefix(
        "127.0.0.1 refuses the login (401)"))
  }

  @Test(
    "a camera without a login names its streams to everybody, and where nobody answers there is none"
  )
  func open() async throws {
    let silent = try await CameraSearch.devices(seconds: 0.2, address: "127.0.0.1", port: port)
    #expect(silent.isEmpty)
    try await start(password: "")
    #expect(try await OnvifCamera(found().service, login: nil).streams().count == 2)
  }
}
