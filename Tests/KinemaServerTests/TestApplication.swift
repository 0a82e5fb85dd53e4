import KinemaHTTP
import KinemaServer

extension LiveApplication {
  /// The application without pages and sessions.
  init(routes: [Route]) {
    self.init(routes: routes, page: { _ in nil }, metrics: { "" }, serve: { _, _ in })
  }
}
