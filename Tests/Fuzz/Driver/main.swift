import CFuzzer
import Foundation
import KinemaFuzzing

// kinema-fuzz seeds FOLDER: writes the seeds of each target into a folder of its name.
// kinema-fuzz TARGET [CORPUS …] [-OPTION=…]: libFuzzer's own command line.

nonisolated(unsafe) var target = FuzzTarget.poseLines

var arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "seeds" {
  for target in FuzzTarget.allCases {
    let folder = URL(filePath: arguments[2]).appending(path: target.rawValue)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (index, seed) in target.seeds.enumerated() {
      try seed.write(to: folder.appending(path: "seed-\(index)"))
    }
  }
  exit(0)
}
guard arguments.count > 1, let named = FuzzTarget(rawValue: arguments[1]) else {
  let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
  FileHandle.standardError.write(Data("Name a target: \(names).\n".utf8))
  exit(64)
}
target = named
arguments.remove(at: 1)
var count = Int32(arguments.count)
var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
let status = pointers.withUnsafeMutableBufferPointer { buffer in
  var start = buffer.baseAddress
  return LLVMFuzzerRunDriver(&count, &start) { bytes, size in
    target.take(Data(UnsafeBufferPointer(start: bytes, count: size)))
    return 0
  }
}
exit(status)
