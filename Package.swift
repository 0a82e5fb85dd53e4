// swift-tools-version: 6.0
import Foundation
import PackageDescription

let package = Package(
  name: "Kinema",
  products: [
    .executable(name: "kinema", targets: ["KinemaCommand"]),
    .library(name: "Kinema", targets: ["Kinema"]),
  ],
  targets: [
    // C libraries: Debian's, behind a module map and a header each.
    .systemLibrary(
      name: "CFFmpeg",
      pkgConfig: "libavformat libavcodec libavdevice libavutil libswscale libswresample",
      providers: [
        .apt([
          "libavformat-dev", "libavcodec-dev", "libavdevice-dev", "libavutil-dev",
          "libswscale-dev", "libswresample-dev",
        ])
      ]),
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(name: "CDNNL", providers: [.apt(["libdnnl-dev"])]),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(
      name: "CWebP", pkgConfig: "libwebpdemux", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    // What the C library's memory allocator can do beyond the standard.
    .systemLibrary(name: "CMemory"),
    .systemLibrary(
      name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    // OpenVINO and libheif are loaded at run time: the project builds without them.
    .target(name: "COpenVINO"),
    .target(name: "CHeif"),
    // The inner loop that cuts regions out of frames.
    .target(name: "CSampling"),
    // The inner loops of training between a library's matrix products.
    .target(name: "CTrainingKernels"),

    // The type of every module's errors.
    .target(name: "KinemaErrors"),
    .target(name: "KinemaFiles", dependencies: ["KinemaErrors", "CCrypto"]),
    // Seeded random numbers: what is synthesised and trained is reproducible.
    .target(name: "KinemaRandom"),
    .target(name: "KinemaStreams"),
    .target(
      name: "KinemaPose", dependencies: ["KinemaErrors", "KinemaFiles", "KinemaStreams", "CZip"]),
    .target(
      name: "KinemaVideo",
      dependencies: [
        "KinemaErrors", "KinemaFiles", "KinemaStreams", "CFFmpeg", "CHeif", "CSeccomp",
        "CTurboJPEG", "CWebP",
      ]),
    // Detections in, tracks out.
    .target(name: "KinemaTracking", dependencies: ["KinemaPose"]),
    .target(
      name: "KinemaVision",
      dependencies: [
        "KinemaErrors", "KinemaFiles", "KinemaStreams", "KinemaPose", "KinemaTracking",
        "KinemaVideo", "COpenVINO", "CSampling",
      ],
      plugins: ["CodeFingerprint"]),
    // The fingerprint of the code that decides poses, for the keys of the pose cache.
    .plugin(name: "CodeFingerprint", capability: .buildTool(), exclude: ["fingerprint.sh"]),
    .target(name: "KinemaOverlay", dependencies: ["KinemaPose", "KinemaVideo", "CCairo"]),
    .target(
      name: "KinemaNetwork",
      dependencies: ["KinemaErrors", "KinemaRandom", "CDNNL", "CTrainingKernels"]),
    // Core ML's and ONNX's files.
    .target(
      name: "KinemaModelFiles", dependencies: ["KinemaErrors", "KinemaFiles", "KinemaNetwork"]),
    .target(
      name: "KinemaCounting",
      dependencies: [
        "KinemaFiles", "KinemaModelFiles", "KinemaNetwork", "KinemaPose", "KinemaStreams",
      ]),
    .target(
      name: "KinemaAction",
      dependencies: [
        "KinemaCounting", "KinemaFiles", "KinemaModelFiles", "KinemaNetwork", "KinemaPose",
        "KinemaStreams",
      ]),
    // Poses in a picture in, bodies in three dimensions out.
    .target(
      name: "KinemaDepth", dependencies: ["KinemaModelFiles", "KinemaNetwork", "KinemaPose"]),
    .target(name: "KinemaCoach", dependencies: ["KinemaDepth", "KinemaFiles", "KinemaPose"]),
    .target(
      name: "KinemaSynth",
      dependencies: ["KinemaRandom", "KinemaStreams", "KinemaPose"]),
    // Pictures and videos of synthetic people.
    .target(name: "KinemaRendering", dependencies: ["KinemaSynth", "KinemaPose", "KinemaVideo"]),
    .target(
      name: "KinemaTraining",
      dependencies: [
        "KinemaAction", "KinemaCounting", "KinemaDepth", "KinemaModelFiles", "KinemaErrors",
        "KinemaFiles", "KinemaNetwork", "KinemaPose", "KinemaRandom", "KinemaStreams",
        "KinemaSynth", "KinemaVideo", "KinemaVision",
      ]),
    // What happens before a camera, and who is sent it.
    .target(
      name: "KinemaWatch",
      dependencies: [
        "KinemaAction", "KinemaCounting", "KinemaErrors", "KinemaFiles", "KinemaNetwork",
        "KinemaPose", "KinemaStreams", "KinemaVideo", "KinemaVision", "CCurl", "CMosquitto",
      ]),
    .target(
      name: "KinemaReport",
      dependencies: [
        "KinemaAction", "KinemaCounting", "KinemaFiles", "KinemaPose", "KinemaTraining",
      ]),
    .target(
      name: "KinemaLab",
      dependencies: [
        "KinemaAction", "KinemaCounting", "KinemaDepth", "KinemaFiles", "KinemaModelFiles",
        "KinemaCoach", "KinemaNetwork", "KinemaPose", "KinemaRandom",
        "KinemaRendering", "KinemaReport",
        "KinemaStreams", "KinemaSynth", "KinemaTracking", "KinemaTraining", "KinemaVideo",
        "KinemaVision", "KinemaWatch",
      ]),
    .target(
      name: "Kinema",
      dependencies: [
        "KinemaStreams", "KinemaPose", "KinemaVideo", "KinemaVision", "KinemaOverlay",
        "KinemaAction", "KinemaCounting", "KinemaDepth", "KinemaModelFiles", "KinemaTraining",
      ]),
    .target(
      name: "KinemaStudio",
      dependencies: [
        "KinemaAction", "KinemaCounting", "KinemaErrors", "KinemaFiles", "KinemaModelFiles",
        "KinemaPose", "KinemaStreams", "KinemaTraining", "KinemaVideo", "KinemaVision",
      ]),
    // HTTP/1.1, WebSockets and TLS, without knowledge of people.
    .target(
      name: "KinemaHTTP",
      dependencies: ["KinemaErrors", "KinemaFiles", "KinemaStreams", "CCrypto"]),
    .target(
      name: "KinemaServer",
      dependencies: [
        "KinemaAction", "KinemaCoach", "KinemaCounting", "KinemaDepth", "KinemaErrors",
        "KinemaFiles", "KinemaHTTP", "KinemaModelFiles", "KinemaOverlay", "KinemaPose",
        "KinemaRendering",
        "KinemaStreams", "KinemaStudio", "KinemaSynth", "KinemaTraining", "KinemaVideo",
        "KinemaVision", "KinemaWatch", "CMemory", "CSQLite",
      ]),
    .target(
      name: "KinemaApplication",
      dependencies: [
        "Kinema", "KinemaCoach", "KinemaDepth", "KinemaFiles", "KinemaHTTP", "KinemaLab",
        "KinemaNetwork", "KinemaPose", "KinemaRendering", "KinemaReport", "KinemaServer",
        "KinemaStudio",
        "KinemaSynth", "KinemaTraining", "KinemaWatch",
      ]),
    .executableTarget(name: "KinemaCommand", dependencies: ["KinemaApplication"]),

    // What the tests share; nothing of it is in the product.
    .target(
      name: "KinemaTestSupport",
      dependencies: [
        "KinemaAction", "KinemaModelFiles", "KinemaNetwork", "KinemaPose", "KinemaRandom",
        "KinemaStreams", "KinemaStudio", "KinemaSynth", "KinemaTraining", "KinemaVideo",
      ],
      path: "Tests/KinemaTestSupport"),
    .target(
      name: "KinemaFuzzing",
      dependencies: [
        "KinemaAction", "KinemaHTTP", "KinemaModelFiles", "KinemaPose", "KinemaServer",
        "KinemaStudio", "KinemaTestSupport", "KinemaTraining", "KinemaVideo",
      ],
      path: "Tests/Fuzz/Targets"),
    .testTarget(
      name: "KinemaFuzzTests", dependencies: ["KinemaFuzzing", "KinemaRandom"],
      path: "Tests/Fuzz/Tests"),
    .testTarget(
      name: "KinemaFilesTests", dependencies: ["KinemaErrors", "KinemaFiles", "KinemaTestSupport"]),
    .testTarget(
      name: "KinemaStreamsTests",
      dependencies: ["KinemaStreams"]),
    .testTarget(
      name: "KinemaPoseTests",
      dependencies: ["KinemaPose", "KinemaStreams", "KinemaSynth", "KinemaTestSupport"]),
    .testTarget(
      name: "KinemaTrackingTests", dependencies: ["KinemaTracking", "KinemaPose"]),
    .testTarget(
      name: "KinemaVideoTests",
      dependencies: [
        "KinemaVideo", "KinemaErrors", "KinemaRandom", "KinemaStreams", "KinemaTestSupport",
      ],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "KinemaVisionTests",
      dependencies: [
        "KinemaPose", "KinemaStreams", "KinemaTestSupport", "KinemaTracking", "KinemaVideo",
        "KinemaVision",
      ],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "KinemaOverlayTests",
      dependencies: ["KinemaOverlay", "KinemaPose", "KinemaVideo"]),
    .testTarget(
      name: "KinemaNetworkTests",
      dependencies: ["KinemaNetwork", "KinemaRandom", "KinemaTestSupport"]),
    .testTarget(
      name: "KinemaActionTests",
      dependencies: [
        "KinemaAction", "KinemaCounting", "KinemaErrors", "KinemaModelFiles", "KinemaNetwork",
        "KinemaPose", "KinemaRandom", "KinemaStreams", "KinemaTestSupport",
      ]),
    .testTarget(
      name: "KinemaWatchTests",
      dependencies: [
        "KinemaVision", "KinemaWatch", "KinemaAction", "KinemaCounting", "KinemaFiles", "KinemaLab",
        "KinemaModelFiles", "KinemaNetwork", "KinemaPose", "KinemaStreams", "KinemaVideo",
        "KinemaTestSupport",
      ]),
    .testTarget(
      name: "KinemaDepthTests", dependencies: ["KinemaDepth", "KinemaPose"]),
    .testTarget(
      name: "KinemaCoachTests", dependencies: ["KinemaCoach", "KinemaPose"]),
    .testTarget(
      name: "KinemaSynthTests",
      dependencies: ["KinemaSynth", "KinemaPose", "KinemaTestSupport"]),
    .testTarget(
      name: "KinemaRenderingTests",
      dependencies: ["KinemaRendering", "KinemaSynth", "KinemaPose", "KinemaVideo"]),
    .testTarget(
      name: "KinemaReportTests",
      dependencies: [
        "KinemaAction", "KinemaCounting", "KinemaFiles", "KinemaPose", "KinemaReport",
        "KinemaTestSupport", "KinemaTraining",
      ]),
    .testTarget(
      name: "KinemaLabTests",
      dependencies: [
        "KinemaLab", "KinemaAction", "KinemaCoach", "KinemaCounting", "KinemaDepth",
        "KinemaModelFiles",
        "KinemaNetwork", "KinemaPose", "KinemaRandom", "KinemaRendering", "KinemaReport",
        "KinemaStreams", "KinemaSynth", "KinemaTraining", "KinemaVideo", "KinemaVision",
        "KinemaWatch", "KinemaTestSupport",
      ]),
    .testTarget(
      name: "KinemaTrainingTests",
      dependencies: [
        "KinemaAction", "KinemaCounting", "KinemaModelFiles", "KinemaPose", "KinemaStreams",
        "KinemaSynth", "KinemaTestSupport", "KinemaTraining", "KinemaVideo", "KinemaVision",
      ]),
    .testTarget(
      name: "KinemaStudioTests",
      dependencies: [
        "KinemaAction", "KinemaCounting", "KinemaErrors", "KinemaFiles", "KinemaModelFiles",
        "KinemaPose", "KinemaStudio", "KinemaTestSupport", "KinemaTraining",
      ]),
    .testTarget(
      name: "KinemaHTTPTests", dependencies: ["KinemaHTTP", "KinemaErrors", "KinemaTestSupport"]),
    .testTarget(
      name: "KinemaServerTests",
      dependencies: [
        "KinemaAction", "KinemaCoach", "KinemaCounting", "KinemaHTTP", "KinemaModelFiles",
        "KinemaPose", "KinemaServer", "KinemaStreams", "KinemaStudio", "KinemaSynth",
        "KinemaTestSupport", "KinemaTraining", "KinemaVideo", "KinemaVision", "KinemaWatch",
        "CSQLite",
      ],
      exclude: ["Browser"]),
    .testTarget(
      name: "KinemaCommandTests",
      dependencies: [
        "Kinema", "KinemaErrors", "KinemaFiles", "KinemaServer", "KinemaStreams",
        "KinemaSynth", "KinemaTestSupport", "KinemaVideo", "KinemaVision",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// `make fuzz` builds the readers of foreign bytes with libFuzzer.
if ProcessInfo.processInfo.environment["KINEMA_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
    .executableTarget(
      name: "KinemaFuzz", dependencies: ["CFuzzer", "KinemaFuzzing"], path: "Tests/Fuzz/Driver"),
  ]
  package.products.append(.executable(name: "kinema-fuzz", targets: ["KinemaFuzz"]))
}

for target in package.targets
where target.type == .regular || target.type == .executable
  || target.type == .test
{
  guard !["CHeif", "COpenVINO", "CSampling", "CTrainingKernels"].contains(target.name) else {
    continue
  }
  target.swiftSettings = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]
  // What is tested is optimised; the tests themselves are not: they compile in half the time.
  if target.type == .test { target.swiftSettings?.append(.unsafeFlags(["-Onone"])) }
}
