internal import ArgumentParser
internal import Presentation
internal import Web

/// How pages look.
struct SettingsGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Shows and changes how the pages of serve look.",
        discussion: """
            Keys: types.selected, display.timeZone, display.pageSize, display.units, display.theme, display.simplify. \
            They are kept apart from archives and caches, and are no evidence.
            """,
        subcommands: [SettingsList.self, SettingsGet.self, SettingsSet.self, SettingsReset.self])
}

/// A key of the settings as an argument.
struct SettingsKey: ParsableArguments {
    @Argument(help: ArgumentHelp("The key, such as display.theme.", valueName: "key"))
    var key: String

    /// - Throws: `usage` for what is none.
    func chosen() throws -> Settings.Key { try Settings.Key(named: key) }
}

/// All settings.
struct SettingsList: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Prints all settings.")

    @OptionGroup var common: CommonOptions

    func run() throws { try common.print(try SettingsFile(common.environment).read()) }
}

/// One setting.
struct SettingsGet: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Prints one setting.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var argument: SettingsKey

    func run() throws {
        let key = try argument.chosen()
        let settings = try SettingsFile(common.environment).read()
        try common.print(settings.line([key]), settings.text(key))
    }
}

/// Changes one setting.
struct SettingsSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes one setting.",
        discussion: "types.selected takes identifiers with commas between; an empty value chooses all types.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var argument: SettingsKey

    @Argument(help: ArgumentHelp("The new value.", valueName: "value"))
    var value: String

    func run() throws {
        let key = try argument.chosen()
        let file = SettingsFile(common.environment)
        var settings = try file.read()
        try settings.set(key, value)
        try file.write(settings)
        try common.print(settings.line([key]), "\(key.rawValue): \(settings.text(key))")
    }
}

/// All settings as they are by default.
struct SettingsReset: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Resets all settings to their defaults.")

    @OptionGroup var common: CommonOptions

    func run() throws {
        try SettingsFile(common.environment).reset()
        try common.print(Settings())
    }
}

extension CommonOptions {
    /// Prints all settings.
    fileprivate func print(_ settings: Settings) throws {
        try print(
            .of(
                settings.line(),
                Document([.facts(Settings.Key.allCases.map { .init($0.rawValue, settings.text($0)) })])))
    }
}
