import Kinema

/// How a stream is read.
struct StreamOptions: OptionGroup {
  @Option("S", "Process a stream for S seconds.", 0.01...1e9)
  var seconds: Double?
  @Option("S", "Try a stream that is unavailable again for S seconds (default 0).", 0...1e9)
  var retry: Double?
  var picture = PictureOptions()
}
