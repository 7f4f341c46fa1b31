internal import ArgumentParser

/// The names of commands on a command line.
enum CommandName {
    /// What stands in the place of a command and is none: the parser would tell of the options behind it instead.
    ///
    /// - Parameter arguments: without the program's name.
    static func unknown(in arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = HealthProbe.self
        for argument in arguments {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
            guard let next = commands.first(where: { $0._commandName == argument }) else { return argument }
            command = next
        }
        return nil
    }
}
