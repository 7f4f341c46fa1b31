internal import ArgumentParser
internal import Basics
internal import Foundation
internal import HealthModel

/// The names of commands on a command line.
enum CommandName {
    /// Refuses an argument in the place of a command that is none: the parser would name the options after it instead.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Throws: `usage` with the names that may have been meant.
    static func check(_ arguments: [String]) throws {
        let (commands, _, next) = find(arguments)
        guard let next, !commands.isEmpty, !next.hasPrefix("-") else { return }
        let question = NearestNames.question(NearestNames.of(next, among: commands.map { $0._commandName }))
        throw HealthProbeError(.usage, "There is no command called '\(next)'.\(question)", hint: help(arguments))
    }

    /// Where there is help on the command that the arguments name, as the hint of an error.
    static func help(_ arguments: [String]) -> String {
        "See \(find(arguments).words.joined(separator: " ")) --help."
    }

    /// The words of the command that the arguments name, without the program's.
    static func words(_ arguments: [String]) -> [String] { Array(find(arguments).words.dropFirst()) }

    /// The command that the arguments name: its own commands, the words of its name, and the first argument behind these.
    private static func find(
        _ arguments: [String]
    ) -> (commands: [any ParsableCommand.Type], words: [String], next: String?) {
        var (commands, words) = (HealthProbe.configuration.subcommands, ["healthprobe"])
        for argument in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            guard let command = commands.first(where: { $0._commandName == argument }) else {
                return (commands, words, argument)
            }
            commands = command.configuration.subcommands
            words.append(argument)
        }
        return (commands, words, nil)
    }
}

/// The names of options on a command line.
enum OptionName {
    /// A message of the parser. Of an option that the command lacks it guesses another one, however far from it; this says
    /// which of the command's own is near, and which commands have the option.
    static func corrected(_ message: String, of arguments: [String]) -> String {
        let opening = "Unknown option '"
        guard let begin = message.range(of: opening), let end = message[begin.upperBound...].firstIndex(of: "'") else {
            return message
        }
        let name = String(message[begin.upperBound..<end])
        let line = message[end...].firstIndex(of: "\n") ?? message.endIndex
        let commands = all()
        let words = CommandName.words(arguments)
        let inner = commands.filter { $0.words.count > words.count && $0.words.starts(with: words) }.map {
            $0.words[words.count]
        }
        if !words.isEmpty, !inner.isEmpty {
            let said = "'\(words.joined(separator: " "))' needs one of its commands: \(inner.joined(separator: ", "))."
            return message[..<begin.lowerBound] + said + message[line...]
        }
        let own = commands.first { $0.words == words }?.options ?? []
        let others = commands.filter { $0.options.contains(name) }.map { $0.words.joined(separator: " ") }
        var said = "\(opening)\(name)'.\(NearestNames.question(NearestNames.of(name, among: own)))"
        if !others.isEmpty { said += " It is an option of: \(others.joined(separator: ", "))." }
        return message[..<begin.lowerBound] + said + message[line...]
    }

    /// The commands without commands of their own, by their words, with the long names of their options.
    private static func all() -> [(words: [String], options: [String])] {
        guard let tool = try? JSON.document(Array(HealthProbe._dumpHelp().utf8))["command"] else { return [] }
        func commands(_ command: JSON, _ words: [String]) -> [(words: [String], options: [String])] {
            let inner = command["subcommands"]?.elements.filter { $0["commandName"]?.string != "help" } ?? []
            guard inner.isEmpty else {
                return inner.flatMap { commands($0, words + [$0["commandName"]?.string ?? ""]) }
            }
            let names = command["arguments"]?.elements.flatMap { $0["names"]?.elements ?? [] } ?? []
            let long = names.filter { $0["kind"]?.string == "long" }.compactMap { $0["name"]?.string }
            return [(words, long.map { "--" + $0 })]
        }
        return commands(tool, [])
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
            let list = [known.dropLast().joined(separator: ", "), known.last ?? ""].filter { !$0.isEmpty }
                .joined(separator: " and ")
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

    /// - Throws: `noSuchInput` where nothing is there, `inputOutput` where it is no regular file or cannot be read.
    static func requireReadable(_ path: String, hint: String) throws {
        try require(path, hint: hint)
        let files = FileManager.default
        guard let info = status(path), info.st_mode & S_IFMT == S_IFREG, files.isReadableFile(atPath: path) else {
            throw HealthProbeError(.inputOutput, "\(path) cannot be read as a file.", hint: hint)
        }
    }
}
