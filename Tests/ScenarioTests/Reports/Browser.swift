import Foundation
import TestSupport

/// A headless Chromium, where the machine has one.
enum Browser {
    static let path: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return ["chromium", "chromium-browser", "google-chrome"].lazy
            .flatMap { name in folders.map { "\($0)/\(name)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// What the browser made of a page, and what it wrote on its console.
    struct Visit {
        var document: String
        var console: [String]
        /// Addresses that the browser asked for beside the page itself.
        var requests: [String]
    }

    /// Opens a file at a width in CSS pixels.
    ///
    /// - Throws: where the browser cannot be started or says nothing.
    static func open(_ file: String, width: Int, scratch: String) throws -> Visit {
        guard let path else { throw TestSupport.Failure("there is no Chromium") }
        let log = "\(scratch)/net-\(width).json"
        let answer = try RunningChild(
            path,
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=\(width),1200",
                "--user-data-dir=\(scratch)/profile-\(width)", "--enable-logging=stderr", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--log-net-log=\(log)", "--dump-dom", "file://\(file)",
            ], environment: ProcessInfo.processInfo.environment, folder: scratch
        ).wait()
        let network = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        let own = "file://\(file)"
        return Visit(
            document: answer.outputText,
            console: answer.errorText.split(separator: "\n").map(String.init).filter { $0.contains("CONSOLE") },
            requests: network.matches(of: /"url":"([^"]+)"/).map { String($0.output.1) }.filter {
                $0 != own && !$0.hasPrefix("chrome") && !isBrowsersOwn($0)
            })
    }

    /// The browser itself asks its maker for updates and accounts; no page of ours names these hosts.
    private static func isBrowsersOwn(_ address: String) -> Bool {
        let host = URL(string: address)?.host ?? ""
        return ["google.com", "googleapis.com", "gvt1.com"].contains { host == $0 || host.hasSuffix("." + $0) }
    }
}
