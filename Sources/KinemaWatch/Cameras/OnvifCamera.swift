package import Foundation
import KinemaFiles
import KinemaVideo

/// Asks a camera for the addresses of its streams (*ONVIF Media Service Specification*).
package struct OnvifCamera: Sendable {
  /// A stream as the camera offers it.
  package struct Stream: Hashable, Sendable {
    /// The camera's name for it.
    package let name: String
    /// Its address, without user and password.
    package let address: String
    /// Its size in pixels, where the camera says it.
    package let size: String?
  }

  package struct Login: Hashable, Sendable {
    package let user: String
    package let password: String

    package init(user: String, password: String) { (self.user, self.password) = (user, password) }
  }

  private static let timeout = 5.0
  private static let mostStreams = 16
  private static let device = "http://www.onvif.org/ver10/device/wsdl"
  private static let media = "http://www.onvif.org/ver10/media/wsdl"
  private static let schema = "http://www.onvif.org/ver10/schema"

  private let service: URL
  private let login: Login?

  package init(_ service: URL, login: Login?) { (self.service, self.login) = (service, login) }

  /// The streams of the camera.
  ///
  /// - Throws: ``WatchError`` where it does not answer, or asks for a login.
  package func streams() async throws -> [Stream] {
    try await BlockingThread.run { try find() }
  }

  private func find() throws(WatchError) -> [Stream] {
    // Cameras refuse logins whose time is not theirs.
    let skew = clockSkew()
    let capabilities = try ask(
      "<GetCapabilities xmlns=\"\(Self.device)\"><Category>Media</Category></GetCapabilities>",
      at: service, skew)
    let place = capabilities.inside("Media")?.value("XAddr").flatMap { URL(string: $0) }
    // A camera behind another address names one that cannot be reached.
    let media = place.flatMap { $0.host == service.host ? $0 : moved($0) } ?? service
    let profiles = try ask("<GetProfiles xmlns=\"\(Self.media)\"/>", at: media, skew)
    var streams: [Stream] = []
    for profile in profiles.elements("Profiles").prefix(Self.mostStreams) {
      guard let token = SoapText.attribute("token", of: profile) else { continue }
      let text = SoapText(Data(profile.content.utf8))
      let answer = try ask(
        """
        <GetStreamUri xmlns="\(Self.media)"><StreamSetup><Stream xmlns="\(Self.schema)">RTP-Unicast</Stream>\
        <Transport xmlns="\(Self.schema)"><Protocol>RTSP</Protocol></Transport></StreamSetup>\
        <ProfileToken>\(SoapText.escaped(token))</ProfileToken></GetStreamUri>
        """, at: media, skew)
      // What is no stream that can be opened is left out.
      guard let address = answer.value("Uri"), case .stream? = try? LiveSource(address) else {
        continue
      }
      let size = text.inside("VideoEncoderConfiguration")?.inside("Resolution")
      let sides = ["Width", "Height"].compactMap { size?.value($0).flatMap { Int($0) } }
      streams.append(
        Stream(
          name: CameraSearch.shown(text.value("Name") ?? token),
          address: CameraSearch.shown(address, limit: 2048),
          size: sides.count == 2 ? "\(sides[0]) × \(sides[1])" : nil))
    }
    return streams
  }

  private func moved(_ url: URL) -> URL? {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return nil }
    (parts.host, parts.port, parts.scheme) = (service.host, service.port, service.scheme)
    return parts.url
  }

  // MARK: - Requests

  /// How far the camera's clock is ahead, in seconds; 0 where it does not say.
  private func clockSkew() -> TimeInterval {
    guard login != nil,
      // Without it, this computer's time is the best guess.
      let answer = try? ask(
        "<GetSystemDateAndTime xmlns=\"\(Self.device)\"/>", at: service, nil),
      let utc = answer.inside("UTCDateTime")
    else { return 0 }
    func number(_ name: String) -> Int? { utc.value(name).flatMap { Int($0) } }
    var parts = DateComponents(timeZone: .gmt)
    (parts.year, parts.month, parts.day) = (number("Year"), number("Month"), number("Day"))
    (parts.hour, parts.minute, parts.second) = (number("Hour"), number("Minute"), number("Second"))
    return Calendar(identifier: .gregorian).date(from: parts)?.timeIntervalSinceNow ?? 0
  }

  /// - Parameter skew: How far the camera's clock is ahead; `nil` asks without a login.
  private func ask(
    _ body: String, at url: URL, _ skew: TimeInterval?
  ) throws(WatchError) -> SoapText {
    let head = skew.map(security) ?? ""
    let text =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>"
      + "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\"><s:Header>\(head)</s:Header>"
      + "<s:Body>\(body)</s:Body></s:Envelope>"
    let request = HTTPPost(
      to: url, headers: ["Content-Type": "application/soap+xml; charset=utf-8"],
      body: Data(text.utf8))
    do {
      return SoapText(try request.answer(timeout: Self.timeout))
    } catch {
      let host = service.host ?? "The camera"
      if case .status(let status) = error, [400, 401, 403].contains(status) {
        throw WatchError(
          .unavailable,
          login == nil
            ? "\(host) asks for a login: give its ONVIF user and password."
            : "\(host) refuses the login (\(status)): check the camera's ONVIF user and password.")
      }
      throw WatchError(.unavailable, "\(host) does not name its streams: \(error).")
    }
  }

  /// The login as a digest with a time and a number that is used once (OASIS, *Web Services Security
  /// UsernameToken Profile 1.0*).
  private func security(_ skew: TimeInterval) -> String {
    guard let login else { return "" }
    let nonce = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    let created = (Date() + skew).formatted(.iso8601)
    let digest = ContentHash.sha1(of: nonce + Data(created.utf8) + Data(login.password.utf8))
    let names = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss"
    return """
      <Security xmlns="\(names)-wssecurity-secext-1.0.xsd"><UsernameToken>\
      <Username>\(SoapText.escaped(login.user))</Username>\
      <Password Type="\(names)-username-token-profile-1.0#PasswordDigest">\
      \(digest.base64EncodedString())</Password>\
      <Nonce EncodingType="\(names)-soap-message-security-1.0#Base64Binary">\
      \(nonce.base64EncodedString())</Nonce>\
      <Created xmlns="\(names)-wssecurity-utility-1.0.xsd">\(created)</Created>\
      </UsernameToken></Security>
      """
  }
}
