import CCairo

extension Overlay {
  package static var libraryVersion: String { String(cString: cairo_version_string()) }
}
