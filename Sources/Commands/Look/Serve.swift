internal import ArgumentParser
internal import Basics
internal import Caching
internal import Foundation
internal import HealthModel
internal import Store
internal import Web

/// The archive in a browser of this computer.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Shows the archive in a browser; local only.",
        discussion: """
            Prints a link that logs a browser in, once; pages need it. Scripts send the token of --json, or of \
            $XDG_RUNTIME_DIR/healthprobe/serve-PORT.json, as Authorization: Bearer TOKEN. The server ends with Ctrl-C. \
            Imports, checks and exports that a page starts are commands of this program, which end with it. To look at \
            it from another computer, forward its port: ssh -L 8471:127.0.0.1:8471 HOST
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    @Option(help: ArgumentHelp("The port; without it 8471, or the next free one.", valueName: "number"))
    var port: Int?

    @Option(help: ArgumentHelp("An address of this computer: 127.0.0.1, ::1, localhost.", valueName: "address"))
    var host = "127.0.0.1"

    @Flag(help: "Also open the browser.")
    var open = false

    @Flag(help: "Pages only read: they import nothing and start nothing that writes to the archive.")
    var readOnly = false

    @OptionGroup var place: CacheOptions

    func run() throws {
        _ = try display.zone()
        guard common.namedChain == nil else {
            throw HealthProbeError(
                .usage, "serve shows all chains.", hint: "Leave out --chain: pages have a switch between chains.")
        }
        let address = try Loopback.address(host)
        shareHeaps()
        Interruption.watch()
        let link = LoginLink(archive: common.archivePath, common.environment)
        defer { link.remove() }
        let sessions = Sessions()
        let cache = try place.file(common)
        let keys = common.keys
        let changeLists = ChangeLists()
        let keeper = cache.map { CacheKeeper($0, keys) }
        let connections = ArchiveConnections(path: common.archivePath)
        keeper?.start(connections)
        defer { keeper?.stop() }
        let (timeZone, isReadOnly) = (display.timeZone, readOnly)
        let path = common.archivePath
        // A value with a hyphen in front would be read as an option.
        let archive = ["--archive=\(path)"] + (common.secretFile.map { ["--secret-file=\($0)"] } ?? [])
        let jobs = JobQueue(base: archive, now: { Int64(Date().timeIntervalSince1970) }) {
            try ChildProcess($0, archive: path)
        }
        let uploads =
            readOnly ? nil : Uploads(archive: path, cache: cache?.path ?? "off", jobs: jobs)
        let announced = Announced()
        let server = try WebServer(
            address: address, ports: ports(), archive: connections, sessions: sessions,
            onLogin: {
                link.remove()
                announced.renew()
            },
            makeSite: { archive in
                Site(
                    environment: keys.environment, secretFile: keys.secretFile, timeZone: timeZone,
                    isReadOnly: isReadOnly, cache: cache.map { PageCache($0, keys) }, jobs: jobs, uploads: uploads,
                    settingsFile: SettingsFile(keys.environment), changeLists: changeLists, archive: archive)
            })
        let announcement = Announcement(
            host: host, port: server.port, sessions, isReadOnly: readOnly, cache: cache?.path ?? "off",
            folder: keys.environment["XDG_RUNTIME_DIR"], isForPeople: !common.json && !common.quiet)
        announced.set(announcement)
        defer { announcement.remove() }
        try announce(announcement)
        if open, !link.open(announcement.loginURL) {
            common.note("There is no browser to open here; open the link above.")
        }
        Interruption.wait()
        server.stop()
        // What still runs now is a job, or an export that nobody can wait for any more.
        jobs.endAll()
        defer { uploads?.close() }
        let end = ContinuousClock.now + .seconds(1)
        while !jobs.isIdle, ContinuousClock.now < end { usleep(10_000) }
        // A child whose reader had stopped has ended, too, and nobody has waited for that.
        TemporaryFolder.removeFolders(ofArchive: path)
    }

    /// The ports to try.
    /// - Throws: `usage` for a number that is no port.
    private func ports() throws -> [Int] {
        guard let port else { return Array(8471..<8491) }
        guard (0...65_535).contains(port) else {
            throw HealthProbeError(.usage, "--port takes a number from 0 to 65535.", hint: "Leave it out for 8471.")
        }
        return [port]
    }

    private func announce(_ announcement: Announcement) throws {
        announcement.write()
        guard common.json else {
            common.note("HealthProbe listens on \(announcement.url), for this computer alone. Ctrl-C ends it.")
            return common.note("Log in with this link: \(announcement.loginURL)")
        }
        try Output.with { try $0.writeLine(announcement.line) }
    }
}

/// Addresses that only this computer reaches.
private enum Loopback {
    /// The address to listen on.
    /// - Throws: `usage` for an address that others could reach, and for what is none.
    static func address(_ host: String) throws -> String {
        if host == "localhost" { return "127.0.0.1" }
        if host == "::1" { return host }
        // `+1` and `01` are numbers to Swift; the system would look for a host of that name, or read it in base 8.
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { part in
            UInt8(part).flatMap { "\($0)" == part ? $0 : nil }
        }
        if numbers.count == 4, numbers[0] == 127, !numbers.contains(nil) { return host }
        throw HealthProbeError(
            .usage, "--host takes an address of this computer alone: 127.0.0.1, ::1 or localhost.",
            hint: "From another computer: ssh -L 8471:127.0.0.1:8471 HOST, then open http://127.0.0.1:8471/ there.")
    }
}
