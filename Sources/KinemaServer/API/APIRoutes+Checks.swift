import Foundation
import KinemaFiles
import KinemaHTTP

extension APIRoutes {
  /// The new name in `{"name":"Monday"}`, without spaces around it.
  static func name(in body: Data) throws -> String {
    guard let object = try? JSONDecoder().decodeForeign([String: String].self, from: body),
      object.count == 1, let text = object["name"]
    else {
      throw ServerError(.badRequest, MessageText("badBody", ["fault": #"send {"name":"…"}."#]))
    }
    return try checked(name: text)
  }

  /// The name of a profile in `{"name":"Ada"}`.
  static func profileName(in body: Data) throws -> String {
    let name = try name(in: body)
    guard name.count <= History.maximumProfileNameLength else {
      throw ServerError(
        .badRequest,
        MessageText("badName", ["limit": History.maximumProfileNameLength]))
    }
    return name
  }

  /// The profile in `{"profile":3}` or `{"profile":null}`; `nil` for another body.
  static func profile(in body: Data) -> Int?? {
    guard let object = try? JSONDecoder().decodeForeign([String: Int?].self, from: body),
      object.count == 1
    else { return nil }
    return object["profile"]
  }

  /// Whose sessions are asked for: `profile` is the number of one, or `none`; all without it.
  static func selection(in request: HTTPRequest) throws -> History.Selection {
    guard let text = request.query["profile"] else { return .everyone }
    if text == "none" { return .nobody }
    guard let id = Int(text), id > 0 else {
      throw ServerError(.badRequest, MessageText("badProfile"))
    }
    return .profile(id)
  }

  /// The routine in a body.
  static func routine(in body: Data) throws -> Routine {
    guard var routine = try? JSONDecoder().decodeForeign(Routine.self, from: body) else {
      throw ServerError(
        .badRequest,
        MessageText(
          "badBody", ["fault": #"send {"name":"…","items":[{"label":"…","repetitions":10}]}."#]))
    }
    routine.name = try checked(name: routine.name)
    return routine
  }

  /// A name without spaces around it.
  private static func checked(name text: String) throws -> String {
    let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let hasControl = name.unicodeScalars.contains { scalar in
      [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
    guard !name.isEmpty, name.count <= maximumNameLength, name.utf8.count <= maximumNameLength * 8,
      !hasControl
    else {
      throw ServerError(.badRequest, MessageText("badName", ["limit": maximumNameLength]))
    }
    return name
  }
}
