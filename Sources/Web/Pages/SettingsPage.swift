internal import Basics
internal import HealthModel
internal import Presentation
internal import Questions
internal import Store

/// How pages look, and the form that changes it.
struct SettingsPage {
    let site: Site
    let address: Address

    /// - Throws: `WebError.inputOutput` where the settings cannot be read.
    func answer(_ frame: Frame) throws -> Answer {
        let settings = try site.readSettings()
        guard address.form == .page else { return .json(settings.line()) }
        return frame.answer(PageContent("Settings", content(settings)))
    }

    private func content(_ settings: Settings) -> [HTML] {
        // A longer one would be refused.
        let types = ((try? site.archive().read { try RecordPage.typeIdentifiers($0) }) ?? []).filter {
            $0.utf8.count <= Settings.longestType
        }
        let known = types + settings.selectedTypes.filter { !types.contains($0) }
        let chosen = known.map { type in
            Form.check(
                Settings.Key.selectedTypes, .foreign(shortIdentifier(type)), value: type,
                isOn: settings.selectedTypes.contains(type))
        }
        func choice(_ key: Settings.Key, _ title: String, _ values: [(String, String)]) -> HTML {
            Form.choice(key, title, values, chosen: settings.text(key))
        }
        func field(_ key: Settings.Key, _ title: String) -> HTML { Form.field(key, title, settings.text(key)) }
        let overview = HTML.element(
            "details", [:],
            [
                .element("summary", [:], "Types in overviews (all, if none is chosen)"),
                Form.hidden(Settings.Key.selectedTypes.rawValue, ""),
            ] + chosen)
        return [
            .element(
                "p", [:],
                "How pages look on this computer. Nothing here changes an archive, a number or what programs get."
            ),
            .element(
                "form", ["method": "post", "action": "/settings", "class": "settings"],
                choice(.theme, "Colours", [("auto", "as the system"), ("light", "light"), ("dark", "dark")]),
                choice(
                    .units, "Units in tables and charts",
                    [("metric", "as exported"), ("imperial", "miles, pounds, feet")]),
                field(.timeZone, "Time zone of times"), field(.pageSize, "Rows of a page, 25 to 1000"),
                choice(.simplify, "Short pages", [("off", "no"), ("on", "yes, for old devices")]), overview,
                .element("button", [:], "Save")),
            .element(
                "form", ["method": "post", "action": "/logout"],
                .element("button", ["class": "quiet"], "Log out of this server")),
        ]
    }
}

extension Site {
    /// The settings of the file.
    ///
    /// - Throws: `WebError.inputOutput` where it cannot be read as settings.
    func readSettings() throws -> Settings {
        do { return try settingsFile?.read() ?? Settings() } catch {
            throw WebError(
                .inputOutput, "The settings cannot be read.", hint: "healthprobe settings reset makes new ones.")
        }
    }

    /// Saves the settings of a form; keys that it does not have stay as they are.
    ///
    /// - Throws: `WebError.usage` for a key that is none, and for what a key does not take; `inputOutput` where the file
    ///   cannot be read as settings or written.
    func saveSettings(_ request: Request) throws -> Answer {
        guard let file = settingsFile else { throw WebError(.forbidden) }
        let form = request.parameters + request.form
        let names = Set(form.map(\.name))
        guard names.allSatisfy({ Settings.Key(rawValue: $0) != nil }) else {
            throw WebError(.usage, "There is no such setting.", hint: "The page of the settings has all.")
        }
        var settings = try readSettings()
        for key in Settings.Key.allCases where names.contains(key.rawValue) {
            let values = form.filter { $0.name == key.rawValue }.map(\.value)
            guard key == .selectedTypes || values.count == 1 else {
                throw WebError(.usage, "\(key.rawValue) is given more than once.")
            }
            do {
                // One value is as people write it; a type of several may have a comma in its name.
                let texts = values.filter { !$0.isEmpty }
                let list = JSON.array(texts.map { .string($0) }).canonicalText
                try settings.set(key, key == .selectedTypes && values.count > 1 ? list : values[0])
            } catch {
                throw WebError(.usage, "\(key.rawValue) takes \(key.takes).", hint: "Go back and choose another value.")
            }
        }
        do { try file.write(settings) } catch {
            throw WebError(
                .inputOutput, "The settings cannot be written.", hint: "Check the disk and the folder of the settings.")
        }
        return .redirection(Address(.settings), status: 303)
    }
}
