import ArgumentParser

/// The command `synthetic-exports`: made-up Apple Health exports of any size, with the truth about what changed.
@main
struct SyntheticExports: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "synthetic-exports",
        abstract: "Writes Apple Health exports of a phone that never existed, with the truth about what changed.",
        discussion: """
            Everything follows from the seed: the same arguments give the same bytes on every machine. No more than one \
            day of one type is held in memory, so ten million records are no problem. All names are invented.
            """,
        subcommands: [Phone.self, Single.self, Malformed.self, Benchmark.self])
}
