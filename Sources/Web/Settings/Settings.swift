package import Basics
internal import Foundation
internal import HealthModel
package import Reporting

/// How a person wants pages to look: a closed list of keys. No evidence, and nothing of an archive.
package struct Settings: Sendable, Equatable {
    /// The keys, in the order in which they are listed.
    package enum Key: String, CaseIterable, Sendable {
        case selectedTypes = "types.selected"
        case timeZone = "display.timeZone"
        case pageSize = "display.pageSize"
        case units = "display.units"
        case theme = "display.theme"
        case simplify = "display.simplify"

        /// - Throws: `usage` for what is no key.
        package init(named name: String) throws {
            guard let key = Key(rawValue: name) else {
                let known = Key.allCases.map(\.rawValue)
                throw HealthProbeError(
                    .usage,
                    "There is no setting called '\(name)'.\(NearestNames.question(NearestNames.of(name, among: known)))",
                    hint: "Settings: \(known.joined(separator: ", ")).")
            }
            self = key
        }

        /// What the key takes, in words.
        package var takes: String {
            switch self {
            case .selectedTypes: "type identifiers with commas between, or nothing for all types"
            case .timeZone: "a name like Europe/Bucharest"
            case .pageSize: "a number from 25 to 1000"
            case .units: "metric or imperial"
            case .theme: "auto, light or dark"
            case .simplify: "on or off"
            }
        }
    }

    /// The colours of pages.
    package enum Theme: String, CaseIterable, Sendable { case auto, light, dark }

    /// Identifiers of the types that overviews show; none for all.
    package var selectedTypes: [String] = []
    package var timeZone = "UTC"
    /// Rows of a page of records.
    package var pageSize = 100
    /// In which units tables and charts show lengths and masses.
    package var units = DisplayUnits.metric
    package var theme = Theme.auto
    package var isSimple = false

    package init() {}

    private static let pageSizes = 25...1000
    private static let mostTypes = 1000
    /// In bytes.
    static let longestType = 200

    /// The value of a key.
    package subscript(_ key: Key) -> JSON {
        switch key {
        case .selectedTypes: .array(selectedTypes.map { .string($0) })
        case .timeZone: .string(timeZone)
        case .pageSize: .int(pageSize)
        case .units: .string(units.rawValue)
        case .theme: .string(theme.rawValue)
        case .simplify: .string(isSimple ? "on" : "off")
        }
    }

    /// The value of a key as people write it.
    package func text(_ key: Key) -> String {
        switch self[key] {
        case .string(let text): text
        case .int(let number): "\(number)"
        case let list: list.elements.compactMap(\.string).joined(separator: ",")
        }
    }

    /// Sets a key to a value as people write it.
    ///
    /// - Throws: `usage` for what the key does not take.
    package mutating func set(_ key: Key, _ text: String) throws {
        func refuse() -> HealthProbeError {
            HealthProbeError(.usage, "\(key.rawValue) takes \(key.takes).", hint: "See healthprobe settings list.")
        }
        switch key {
        case .selectedTypes:
            // A JSON array is what `get` prints with --json.
            let words = JSON.parse(text)?.elements.compactMap(\.string) ?? []
            let names = (words.isEmpty && text.first != "[" ? text.split(separator: ",").map(String.init) : words)
                .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            guard names.count <= Self.mostTypes, names.allSatisfy({ $0.utf8.count <= Self.longestType }) else {
                throw refuse()
            }
            selectedTypes = Set(names).sorted()
        case .timeZone:
            guard TimeZone(identifier: text) != nil else { throw refuse() }
            timeZone = text
        case .pageSize:
            guard let size = Int(text), Self.pageSizes.contains(size) else { throw refuse() }
            pageSize = size
        case .units:
            guard let units = DisplayUnits(rawValue: text) else { throw refuse() }
            self.units = units
        case .theme:
            guard let theme = Theme(rawValue: text) else { throw refuse() }
            self.theme = theme
        case .simplify:
            guard ["on", "off"].contains(text) else { throw refuse() }
            isSimple = text == "on"
        }
    }

    /// The object of the settings file: a member for each key.
    var file: JSON { .object(Key.allCases.map { ($0.rawValue, self[$0]) }) }

    /// Reads the object of a settings file.
    ///
    /// - Throws: `usage` for a key that is none, and what a key does not take.
    init(file: JSON) throws {
        for (name, value) in file.members {
            let key = try Key(named: name)
            let text =
                switch value {
                case .string(let text): text
                case .int(let number): "\(number)"
                default: value.line
                }
            try set(key, text)
        }
    }

    /// The line `healthprobe.settings/1` of some keys.
    package func line(_ keys: [Key] = Key.allCases) -> JSON {
        .line(
            "settings",
            ["settings": keys.map { JSON.row(["key": $0.rawValue, "value": self[$0]]) }])
    }
}
