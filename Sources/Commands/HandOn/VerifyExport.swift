internal import ArgumentParser
internal import Basics
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Presentation

/// An export, checked against its own manifests.
struct VerifyExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-export", abstract: "Checks an export against its own manifests, without any archive.",
        discussion: """
            Of a bag: its checksums, each item's hash and identity, the manifest hash, counts, order, and a signature \
            if there is one. Of a Health export that HealthProbe wrote: its manifest, length and SHA-256. Both may be \
            the zip that export --output - wrote. The first failure is printed, with exit code 4.

            --signers names an allowed_signers file of ssh-keygen; then a signature by one of the signers is required.

            docs/verify_export.py makes the same checks, but that of the signature, without this program.
            """)

    @Argument(
        help: ArgumentHelp("An export of HealthProbe: a folder, its zip, or a Health export.", valueName: "path"),
        completion: .file())
    var path: String

    @Option(
        help: ArgumentHelp("The allowed signers: an allowed_signers file of ssh-keygen.", valueName: "file"),
        completion: .file())
    var signers: String?

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    @Flag(help: "No progress and no messages.")
    var quiet = false

    func run() throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw HealthProbeError(
                .noSuchInput, "There is no file or folder \(path).",
                hint: "Name what an export wrote: a folder, a zip or an XML file.")
        }
        if let signers {
            try InputFile.requireReadable(signers, hint: "Name an allowed_signers file of ssh-keygen with --signers.")
        }
        Interruption.watch()
        let progress = ProgressReporter(label: "Verifying", mode: ProgressReporter.mode(quiet: quiet))
        defer { progress.finish() }
        do {
            let report = try ExportVerification.run(
                path, signers: signers, isCancelled: { Interruption.isRequested }
            ) { done, total in
                progress.update(done: Int(done), total: Int(total))
            }
            progress.finish()
            try print(report.json, report.document(path: path))
        } catch let failure as VerificationFailure {
            progress.finish()
            try print(failure.json, failure.document(path: path))
            throw ExitCode(ExitCodes.integrity)
        }
    }

    private func print(_ line: JSON, _ document: Document) throws {
        try Output.with { try json ? $0.writeLine(line) : $0.write(document) }
    }
}
