internal import ArchiveReading
internal import ArchiveRows
internal import ArgumentParser
internal import ExportReading
internal import Foundation
internal import HealthModel
internal import SystemCalls
internal import TextFormats

/// The names of commands on a command line.
enum CommandName {
    /// Refuses an argument in the place of a command that is none: the parser would name the options after it instead.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Throws: `ValidationError` with the names that may have been meant.
    static func check(_ arguments: [String]) throws {
        var command: any ParsableCommand.Type = HealthProbe.self
        let names = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
        for argument in names {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !argument.hasPrefix("-") else { return }
            guard let next = commands.first(where: { $0._commandName == argument }) else {
                let nearest = NearestNames.of(argument, among: commands.map { $0._commandName })
                throw ValidationError("There is no command called '\(argument)'.\(NearestNames.question(nearest))")
            }
            command = next
        }
    }
}

/// The value of an option that is a name: empty text is refused.
enum NamedArgument {
    /// The value as it was given.
    ///
    /// - Throws: `ValidationError` where it is empty.
    static func read(_ text: String) throws -> String {
        guard !text.isEmpty else { throw ValidationError("The value is empty.") }
        return text
    }
}

/// The values of an option that takes several: repeated, or with commas between, or both.
enum ListArgument {
    /// The values, each once and in the order of their cases, so that one question has one name.
    ///
    /// - Throws: `ValidationError` for what is none of them.
    static func values<Value: RawRepresentable<String> & CaseIterable>(
        _ arguments: [String], option: String
    ) throws -> [Value] {
        let names = arguments.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        for name in names where Value(rawValue: name) == nil {
            let known = Value.allCases.map(\.rawValue)
            let list = known.dropLast().joined(separator: ", ") + " and " + (known.last ?? "")
            throw ValidationError("\(option) takes \(list), not \(name).")
        }
        return Value.allCases.filter { names.contains($0.rawValue) }
    }
}

/// A file beside exports and archives that a command is given to read.
enum InputFile {
    /// - Throws: `noSuchInput` where nothing is there.
    static func require(_ path: String, hint: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw HealthProbeError(.noSuchInput, "There is no file \(path).", hint: hint)
        }
    }

    /// - Throws: `noSuchInput` where nothing is there, `inputOutput` where it is a folder or cannot be read.
    static func requireReadable(_ path: String, hint: String) throws {
        try require(path, hint: hint)
        let files = FileManager.default
        guard let info = status(path), info.st_mode & S_IFMT != S_IFDIR,
            files.isReadableFile(atPath: path)
        else {
            throw HealthProbeError(.inputOutput, "\(path) cannot be read as a file.", hint: hint)
        }
    }
}

/// Turns the names of observations on the command line into observations.
enum ObservationArguments {
    /// The two sides of a comparison, given in order or as `--from` and `--to`; by default `latest` and the one before.
    ///
    /// - Throws: `usage` where a side is given twice, `unknownObservation` where the first of a chain has none before it.
    static func pair(
        _ positional: [String], from: String?, to: String?, in chain: Chain
    ) throws -> (from: Observation, to: Observation) {
        guard positional.count <= 2, positional.isEmpty || (from == nil && to == nil) else {
            throw HealthProbeError(
                .usage, "A comparison takes two observations.",
                hint: "Give FROM TO, or --from FROM --to TO.")
        }
        let first = positional.first ?? from
        let second = positional.count == 2 ? positional[1] : to
        let later = try ObservationResolver.resolve(second ?? "latest", in: chain)
        return (try first.map { try ObservationResolver.resolve($0, in: chain) } ?? before(later, in: chain), later)
    }

    /// The observation before another, which is the earlier side where none is given.
    private static func before(_ later: Observation, in chain: Chain) throws -> Observation {
        if let index = chain.finished.firstIndex(where: { $0.id == later.id }), index > 0 {
            return chain.finished[index - 1]
        }
        guard chain.finished.count > 1 else {
            throw HealthProbeError(
                .unknownObservation, "The chain \(chain.name) has only one observation; there is nothing to compare.",
                hint: "Import a later export first.")
        }
        throw HealthProbeError(
            .unknownObservation,
            "Observation \(later.id) is the first of its chain; there is none before it to compare with.",
            hint: "Name a later one, or both sides; healthprobe timeline shows the order.")
    }
}
