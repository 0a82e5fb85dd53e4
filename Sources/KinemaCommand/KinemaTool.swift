import KinemaApplication

@main
enum KinemaTool {
  static func main() async { await Application.main() }
}
