extension Change {
    /// A text that is not a change.
    package struct SyntaxError: Error, CustomStringConvertible {
        /// What was wrong and what is possible.
        package let description: String
    }

    /// What can be written, for the command's help.
    package static let help = """
        delete[:TYPE]=SHARE      records deleted, e.g. delete:HeartRate=0.01
        condense=SHARE           workouts older than 120 days condensed
        condense-unmarked=SHARE  the same without the condenser's identifier
        condense-lagging=SHARE   the same, originals gone only one dump later
        recondense=SHARE         condensed series condensed again
        coalesce=SHARE           neighbours of equal rate or value merged
        rename:SOURCE            a new name; oldWatch holds 40 % of the records
        unit:TYPE[:UNIT]         e.g. unit:ActiveEnergyBurned:kJ
        locale:NAME              e.g. locale:de_DE
        offset:±HHMM             zone of the phone at export, e.g. offset:+0545
        restore                  creation dates and order change
        duplicate[:TYPE]=SHARE   exact copies appear
        revise=DAYS              daily values of the last DAYS days revised
        rewrite=SHARE            the scale rewrites its records (sync id kept)
        decoy-delete=SHARE       workout samples deleted without replacement
        decoy-source=SHARE       workout samples replaced by another source
        decoy-total=SHARE        workout samples replaced with a wrong total
        decoy-category=SHARE     sleep stages replaced by one record a night
        sleep-synonym            ...SleepAnalysisAsleep becomes ...Unspecified
        device-text              device texts gain "creation date:"
        """

    /// Reads one change.
    ///
    /// - Throws: ``SyntaxError``.
    package init(parsing text: String) throws {
        let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
        let words = (halves.first ?? "").split(separator: ":", maxSplits: 2).map(String.init)
        let number = halves.count > 1 ? Double(halves[1]) : nil
        if halves.count > 1 && number == nil { throw Self.error(text, "\(halves[1]) is not a number") }
        let argument = words.count > 1 ? words[1] : nil
        switch words.first ?? "" {
        case "delete": self = .delete(type: try Self.type(argument, text), share: number ?? 0.01)
        case "condense": self = .condense(share: number ?? 1, marked: true)
        case "condense-unmarked": self = .condense(share: number ?? 1, marked: false)
        case "condense-lagging": self = .condenseLagging(share: number ?? 1)
        case "finish-condensing": self = .finishCondensing
        case "recondense": self = .recondense(share: number ?? 1)
        case "coalesce": self = .coalesce(share: number ?? 1)
        case "rename":
            guard let source = Source(key: argument ?? "watch") else {
                throw Self.error(text, "sources: " + Source.allCases.map(\.key).joined(separator: ", "))
            }
            self = .rename(source)
        case "unit": self = try Self.unit(argument, words.count > 2 ? words[2] : nil, text)
        case "locale": self = .locale(argument ?? "de_DE")
        case "offset":
            guard let seconds = Self.offset(argument ?? "") else { throw Self.error(text, "write offset:+0545") }
            self = .offset(seconds: seconds)
        case "restore": self = .restore
        case "duplicate": self = .duplicate(type: try Self.type(argument, text), share: number ?? 0.01)
        case "revise": self = .revise(days: Int(number ?? 3))
        case "rewrite": self = .rewrite(share: number ?? 0.2)
        case "decoy-delete": self = .decoyDelete(share: number ?? 0.1)
        case "decoy-source": self = .decoySource(share: number ?? 0.1)
        case "decoy-total": self = .decoyTotal(share: number ?? 0.1)
        case "decoy-category": self = .decoyCategory(share: number ?? 0.1)
        case "sleep-synonym": self = .sleepSynonym
        case "device-text": self = .deviceText
        default: throw Self.error(text, "unknown change; possible are:\n\(Self.help)")
        }
    }

    private static func unit(_ type: String?, _ unit: String?, _ text: String) throws -> Change {
        guard let type, let known = SampleCatalog.type(named: type) else { throw error(text, "unknown type") }
        let units = UnitChoice.alternatives(base: known.unit).map(\.name)
        guard units.count > 1, unit.map(units.contains) ?? true else {
            throw error(text, "units of \(type): \(units.joined(separator: ", "))")
        }
        return .unit(type: known.identifier, to: unit)
    }

    private static func type(_ name: String?, _ text: String) throws -> String? {
        guard let name else { return nil }
        guard let type = SampleCatalog.type(named: name) else { throw error(text, "unknown type \(name)") }
        return type.identifier
    }

    private static func offset(_ text: String) -> Int? {
        guard let sign = text.first, sign == "+" || sign == "-", text.count == 5, let digits = Int(text.dropFirst())
        else {
            return nil
        }
        return (sign == "-" ? -1 : 1) * (digits / 100 * 3600 + digits % 100 * 60)
    }

    private static func error(_ text: String, _ reason: String) -> SyntaxError {
        SyntaxError(description: "\(text): \(reason)")
    }
}

extension Change {
    /// The change as it can be written.
    package var text: String {
        switch self {
        case .delete(let type, let share): "delete\(Self.suffix(type))=\(share)"
        case .condense(let share, let marked): "condense\(marked ? "" : "-unmarked")=\(share)"
        case .condenseLagging(let share): "condense-lagging=\(share)"
        case .finishCondensing: "finish-condensing"
        case .recondense(let share): "recondense=\(share)"
        case .coalesce(let share): "coalesce=\(share)"
        case .rename(let source): "rename:\(source.key)"
        case .unit(let type, let unit): "unit\(Self.suffix(type))\(unit.map { ":" + $0 } ?? "")"
        case .locale(let name): "locale:\(name)"
        case .offset(let seconds): "offset:" + OutputBuffer.printed { $0.offset(seconds) }
        case .restore: "restore"
        case .duplicate(let type, let share): "duplicate\(Self.suffix(type))=\(share)"
        case .revise(let days): "revise=\(days)"
        case .rewrite(let share): "rewrite=\(share)"
        case .decoyDelete(let share): "decoy-delete=\(share)"
        case .decoySource(let share): "decoy-source=\(share)"
        case .decoyTotal(let share): "decoy-total=\(share)"
        case .decoyCategory(let share): "decoy-category=\(share)"
        case .sleepSynonym: "sleep-synonym"
        case .deviceText: "device-text"
        }
    }

    private static func suffix(_ type: String?) -> String {
        type.map { ":" + SampleCatalog.shortForm($0) } ?? ""
    }
}
