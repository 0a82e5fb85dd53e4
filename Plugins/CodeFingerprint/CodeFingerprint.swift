import Foundation
import PackagePlugin

/// Gives a target a source with the fingerprint of its code and of all code of the package that it uses.
@main
struct CodeFingerprint: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let sources = ([target] + target.recursiveTargetDependencies)
      .compactMap { $0 as? any SourceModuleTarget }
      .flatMap { $0.sourceFiles.filter { [.source, .header].contains($0.type) } }
      .map(\.url).sorted { $0.path < $1.path }
    let script = context.package.directoryURL.appending(
      path: "Plugins/CodeFingerprint/fingerprint.sh")
    let output = context.pluginWorkDirectoryURL.appending(path: "CodeFingerprint.swift")
    return [
      .buildCommand(
        displayName: "Fingerprint of \(target.name)", executable: URL(filePath: "/bin/sh"),
        arguments: [script.path, output.path] + sources.map(\.path),
        inputFiles: [script] + sources, outputFiles: [output])
    ]
  }
}
