import Foundation
import Kinema
import KinemaServer
import KinemaStudio

struct StudioCommand: Command {
  static let name = "studio"
  static let abstract = "Teach, check and ship a model in a browser."
  static let usage = "[PROJECT]"
  static let discussion = """
    Starts the server of kinema live and prints the address of the studio: projects with labelled
    videos, training runs and the models that come of them. PROJECT is the folder of a project; a new or
    empty folder becomes one. Without it, the studio shows the projects in the data folder.

    The page can use the videos in the folder where the command starts, or in those of --folder, where
    they are, and takes uploads. kinema train PROJECT and kinema evaluate MODEL PROJECT use the same
    project.
    """
  static let examples = """
    kinema studio
        Show all projects; make the first one.
    kinema studio golf/
        Open the project in golf/, or make one there.
    kinema studio golf/ --folder /media/videos
        Offer the videos in /media/videos as well.
    """
  var server = ServerOptions()
  @Operands(0...1, "Name one project, or none.")
  var projects: [String]

  func run() async throws {
    var options = try server.options()
    if let path = projects.first {
      options.project = try Self.project(at: URL(filePath: path))
    }
    try await server.serve(options) { server in
      let fragment = server.projectID.flatMap {
        $0.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
      }
      return ("Kinema Studio: ", "studio/studio.html", fragment.map { "/\($0)/data" })
    }
  }

  /// The project in a folder, made where the folder is new or empty.
  private static func project(at url: URL) throws -> URL {
    let url = url.standardizedFileURL
    guard !Project.isProject(url) else { return url }
    let names = try? FileManager.default.contentsOfDirectory(atPath: url.path)
    guard names?.isEmpty ?? !FileManager.default.fileExists(atPath: url.path) else {
      throw CommandFailure(
        .badData,
        "\(url.path) is not a project: name the folder of one, or a new or empty folder.")
    }
    StandardStreams.printMessage("kinema: a new project in \(url.path)")
    _ = try Project.create(at: url, name: url.lastPathComponent)
    return url
  }
}
