internal import ArgumentParser
internal import Basics
internal import Caching
internal import HealthModel
internal import Presentation
internal import Questions
internal import Store

/// Where the cache is.
struct CacheOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the cache is, or off; without it, $HEALTHPROBE_CACHE or the archive's path with .cache.",
            valueName: "path"),
        completion: .file(), transform: NamedArgument.read)
    var cache: String?

    /// The cache of the archive; nil for `off`.
    /// - Throws: `usage` where the archive or one of its files is.
    func file(_ common: CommonOptions) throws -> CacheFile? {
        try .ofArchive(common.archivePath, named: cache, environment: common.environment)
    }
}

extension CommonOptions {
    /// Deletes the cache of an archive that is another one now, or that lacks what it had; one that cannot be deleted is
    /// one line on standard error.
    func deleteCache(of archive: String) {
        do {
            try CacheFile.ofArchive(archive, named: nil, environment: environment)?.delete()
        } catch {
            let reason = HealthProbeError(error).message
            note("note: The cache was not deleted and may have what the archive had: \(reason)")
        }
    }

    /// Brings the cache up to date with what an import changed, for a twentieth of the time that it took; whatever goes wrong
    /// is one line on standard error.
    func updateCache(_ file: CacheFile?, ofArchive archive: String, since start: ContinuousClock.Instant) {
        guard let file else { return }
        let now = ContinuousClock.now
        // What is begun at the end is finished: a twenty-fifth stays within the twentieth.
        let end = now + max((now - start) / 25, .milliseconds(100))
        do {
            let builder = try CacheBuilder(file, ofArchive: archive, keys)
            defer { builder.close() }
            _ = try builder.update { ContinuousClock.now > end || Interruption.isRequested }
        } catch is CacheBuilder.Ended {
            // The next reader does it.
        } catch {
            note("note: The cache was not brought up to date: \(HealthProbeError(error).message)")
        }
    }
}

/// Care of the cache.
struct CacheGroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Shows, makes and deletes the cache of the archive, which pages of serve read.",
        discussion: """
            The cache holds what pages show of many observations at once. It is made from the archive and can be deleted \
            at any time. Where both differ, the archive is right.
            """,
        subcommands: [CacheInfoCommand.self, CacheRebuildCommand.self, CacheDeleteCommand.self])
}

/// What a command of the cache starts with.
private protocol CacheCommand: ParsableCommand {
    var common: CommonOptions { get }
    var place: CacheOptions { get }
}

extension CacheCommand {
    /// What there is of the cache.
    fileprivate func report(_ archive: ArchiveReader?) throws -> CacheReport {
        guard let file = try place.file(common) else { return CacheReport(path: "off", state: .absent) }
        return .read(file, of: archive, common.keys)
    }

    /// - Throws: `usage` for `off`, and where the archive or one of its files is.
    fileprivate func file() throws -> CacheFile {
        guard let file = try place.file(common) else {
            throw HealthProbeError(.usage, "The cache is off.", hint: "Name a place with --cache.")
        }
        return file
    }
}

/// What there is of the cache.
struct CacheInfoCommand: CacheCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Shows whether there is a cache, what it holds, and whether it is up to date.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var place: CacheOptions

    func run() throws {
        let zone = try display.zone()
        let archive = try? common.openReader()
        defer { archive?.close() }
        let report = try report(archive)
        try common.print(.of(report.line(), report.document(zone)))
    }
}

/// Makes the cache again.
struct CacheRebuildCommand: CacheCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild", abstract: "Makes the cache from the archive.",
        discussion: """
            With --observation the days and months of these observations and of later ones, with --type those of these \
            types; the rest is brought up to date.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var place: CacheOptions

    @Option(help: ArgumentHelp("Only of this observation; may repeat.", valueName: "observation"))
    var observation: [String] = []

    @Option(help: .typesAlone, transform: NamedArgument.read) var type: [String] = []

    func run() throws {
        let zone = try display.zone()
        let archive = try common.openReader()
        defer { archive.close() }
        let ids: Set<Int64> = try archive.read { db in
            let chain = try ObservationResolver.chain(db, name: common.chain)
            try common.noteUnknownTypes(type, db)
            return Set(try observation.map { try ObservationResolver.resolve($0, in: chain).id })
        }
        let start = ContinuousClock.now
        let outcome = try common.progress("Making the cache").showElapsed {
            let builder = try CacheBuilder(file(), ofArchive: archive.path, common.keys)
            defer { builder.close() }
            return try builder.rebuild(
                observations: ids, types: type.isEmpty ? nil : TypeFilter(type),
                isEnded: { Interruption.isRequested })
        }
        try Interruption.check()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let report = try report(archive)
        let line = report.line([
            "made": outcome.made, "kept": outcome.kept, "dropped": outcome.dropped, "seconds": seconds,
        ])
        var document = report.document(zone)
        document.paragraph(
            "\(Counts.of(outcome.made, "observation")) made, \(Counts.grouped(Int64(outcome.kept))) kept, "
                + "\(Counts.grouped(Int64(outcome.dropped))) dropped.")
        try common.print(.of(line, document))
    }
}

/// Deletes the cache.
struct CacheDeleteCommand: CacheCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes the cache; the archive stays as it is.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var place: CacheOptions

    func run() throws {
        let path = try file().path
        let isDeleted = try file().delete()
        try common.print(
            .line("cache", ["path": path, "state": "absent", "deleted": isDeleted]),
            isDeleted ? "\(path) was deleted." : "There is no cache at \(path).")
    }
}
