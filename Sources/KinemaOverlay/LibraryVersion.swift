import CCairo

extension Overlay {
  /// The version of the Cairo library that is linked.
  package static var libraryVersion: String { String(cString: cairo_version_string()) }
}
