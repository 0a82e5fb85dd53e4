/// `kinema worker`: takes jobs as lines of JSON, for other programs; see docs/worker-protocol.md.
struct WorkerCommand: Command {
  static let name = "worker"
  static let abstract = "Take jobs as lines of JSON, for other programs and languages."
  static let usage = ""
  static let discussion = """
    Reads requests on standard input and answers on standard output, a JSON object a line; networks stay
    loaded between jobs, which run one after the other. Jobs are poses, classify, count, train, evaluate,
    info, predict and watch; their results are those of the commands with --format json. At the end of the
    input the jobs that were requested are done. The protocol is in docs/worker-protocol.md; the Python
    package uses it.
    """
  static let examples = """
    printf '{"id":1,"job":"count","input":"workout.mp4"}\\n' | kinema worker
        Count the repetitions in a video.
    printf '{"id":1,"job":"classify","input":"a.npz","options":{"stride":5}}\\n' | kinema worker
        Classify poses, with the options of kinema classify.
    """
  @Operands(0...0, "kinema worker reads jobs on standard input, and takes no operands.")
  var operands: [String]

  func run() async throws {
    try await WorkerSession(WorkerChannel()).run()
  }
}
