/// Who wrote a sample: the phone, two successive watches, Apple's Health app and third-party apps and devices.
package enum Source: Int, CaseIterable, Sendable {
    /// The watch worn in the first half of the first dump's history: it holds about 40 % of all records.
    case oldWatch
    /// The watch worn since.
    case watch
    /// The phone.
    case phone
    /// Apple's Health app (entered by hand); its name follows the language.
    case health
    /// A scale that keeps `HKMetadataKeySyncIdentifier` and rewrites its records.
    case scale
    /// A sports app that writes workouts with `HKExternalUUID`.
    case sportsApp
    /// A blood glucose meter with `HKExternalUUID`.
    case glucoseMeter
    /// A blood pressure monitor.
    case pressureMonitor
    /// A food diary.
    case foodDiary
    /// A meditation app.
    case mindfulApp
    /// A sleep app that repeats its records.
    case sleepApp

    /// The word for the source in a change's text.
    package var key: String { "\(self)" }

    /// The source with the given key.
    package init?(key: String) {
        guard let match = Source.allCases.first(where: { $0.key == key }) else { return nil }
        self = match
    }

    /// The display name after `renames` renames, in the language of `locale`. Watch names hold U+00A0, owners' names U+2019.
    func name(renames: Int, locale: String) -> String {
        if self == .health { return Self.healthNames[String(locale.prefix(2))] ?? originalName }
        guard renames > 0 else { return originalName }
        return renames == 1 ? renamedName : "\(renamedName) \(renames)"
    }

    private var originalName: String {
        switch self {
        case .oldWatch: "Robin\u{2019}s Apple\u{A0}Watch"
        case .watch: "Robin\u{2019}s Apple\u{A0}Watch Blue"
        case .phone: "Robin\u{2019}s iPhone"
        case .health: "Health"
        case .scale: "Librata Scale"
        case .sportsApp: "Trailwinder"
        case .glucoseMeter: "Glucolog Meter"
        case .pressureMonitor: "Cuffline"
        case .foodDiary: "Nutrinote"
        case .mindfulApp: "Stillwater"
        case .sleepApp: "Dreamledger"
        }
    }

    private var renamedName: String {
        switch self {
        case .oldWatch: "Old Apple\u{A0}Watch"
        case .watch: "Apple\u{A0}Watch of R. & Co"
        case .phone: "Robin\u{2019}s new iPhone"
        default: originalName + " Pro"
        }
    }

    private static let healthNames = [
        "de": "Health (Deutsch)", "fr": "Santé", "es": "Salud", "ru": "Здоровье", "ja": "ヘルスケア",
    ]
}
