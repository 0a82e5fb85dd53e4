// swift-tools-version: 6.1
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
    .systemLibrary(
      name: "CWebSockets", pkgConfig: "libwebsockets", providers: [.apt(["libwebsockets-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // OpenVINO is loaded at run time: the project builds without it.
    .target(name: "COpenVINO"),
    // The inner loop that cuts regions out of frames.
    .target(name: "CSampling"),
    // The inner loops of training between a library's matrix products.
    .target(name: "CTrainingKernels"),

    .target(name: "KinemaStreams"),
    .target(name: "KinemaPose", dependencies: ["KinemaStreams", "CZip"]),
    .target(name: "KinemaVideo", dependencies: ["KinemaStreams", "CFFmpeg", "CTurboJPEG"]),
    .target(
      name: "KinemaVision",
      dependencies: ["KinemaStreams", "KinemaPose", "KinemaVideo", "COpenVINO", "CSampling"]),
    .target(name: "KinemaOverlay", dependencies: ["KinemaPose", "KinemaVideo", "CCairo"]),
    .target(name: "KinemaNetwork", dependencies: ["CDNNL", "CTrainingKernels"]),
    .target(
      name: "KinemaAction", dependencies: ["KinemaStreams", "KinemaPose", "KinemaNetwork"]),
    .target(name: "KinemaSynth", dependencies: ["KinemaPose", "KinemaVideo"]),
    .target(
      name: "KinemaTraining",
      dependencies: [
        "KinemaAction", "KinemaNetwork", "KinemaPose", "KinemaStreams", "KinemaSynth",
        "KinemaVideo",
        "KinemaVision",
      ]),
    .target(
      name: "Kinema",
      dependencies: [
        "KinemaStreams", "KinemaPose", "KinemaVideo", "KinemaVision", "KinemaOverlay",
        "KinemaAction", "KinemaSynth", "KinemaTraining",
      ]),
    .target(
      name: "KinemaServer",
      dependencies: [
        "KinemaAction", "KinemaOverlay", "KinemaPose", "KinemaStreams", "KinemaSynth",
        "KinemaVideo", "KinemaVision", "CCrypto", "CSQLite", "CWebSockets",
      ]),
    .executableTarget(name: "KinemaCommand", dependencies: ["Kinema", "KinemaServer"]),

    // What the tests share; nothing of it is in the product.
    .target(name: "KinemaTestSupport", path: "Tests/KinemaTestSupport"),
    .testTarget(
      name: "KinemaStreamsTests",
      dependencies: ["KinemaStreams", "KinemaTestSupport"]),
    .testTarget(
      name: "KinemaPoseTests",
      dependencies: ["KinemaPose", "KinemaStreams", "KinemaSynth", "KinemaTestSupport"]),
    .testTarget(
      name: "KinemaVideoTests",
      dependencies: ["KinemaVideo", "KinemaStreams", "KinemaTestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "KinemaVisionTests",
      dependencies: [
        "KinemaVision", "KinemaVideo", "KinemaPose", "KinemaStreams", "KinemaSynth",
        "KinemaTestSupport",
      ],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "KinemaOverlayTests",
      dependencies: ["KinemaOverlay", "KinemaVideo", "KinemaPose", "KinemaTestSupport"]),
    .testTarget(
      name: "KinemaNetworkTests",
      dependencies: ["KinemaNetwork", "KinemaTestSupport"]),
    .testTarget(
      name: "KinemaActionTests",
      dependencies: [
        "KinemaAction", "KinemaNetwork", "KinemaPose", "KinemaStreams", "KinemaTestSupport",
      ]),
    .testTarget(
      name: "KinemaSynthTests",
      dependencies: ["KinemaSynth", "KinemaPose", "KinemaVideo", "KinemaTestSupport"]),
    .testTarget(
      name: "KinemaTrainingTests",
      dependencies: [
        "KinemaTraining", "KinemaAction", "KinemaNetwork", "KinemaPose", "KinemaStreams",
        "KinemaSynth", "KinemaVideo", "KinemaVision", "KinemaTestSupport",
      ]),
    .testTarget(
      name: "KinemaServerTests",
      dependencies: [
        "KinemaServer", "KinemaAction", "KinemaPose", "KinemaStreams", "KinemaSynth",
        "KinemaVideo", "KinemaVision", "KinemaTestSupport",
      ],
      exclude: ["Browser"]),
    .testTarget(
      name: "KinemaCommandTests",
      dependencies: ["Kinema", "KinemaTestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets
where target.type == .regular || target.type == .executable
  || target.type == .test
{
  guard !["COpenVINO", "CSampling", "CTrainingKernels"].contains(target.name) else { continue }
  target.swiftSettings = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]
}
