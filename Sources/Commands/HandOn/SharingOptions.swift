internal import ArgumentParser
internal import Basics
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Presentation
internal import Store

/// What makes of a Health export a copy that others may have.
struct SharingOptions: ParsableArguments {
    // Earlier dates look like an option.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Move all dates by so many days, or by a random number of them, which is printed once.",
            valueName: "days"))
    var shiftDays: String?

    @Option(
        help: ArgumentHelp("Leave out what lies within so many metres of a track's ends.", valueName: "metres"))
    var trimTracks: Double?

    @Option(
        help: ArgumentHelp(
            "Keep the number of days in this file; where it is there already, use it.", valueName: "file"),
        completion: .file(), transform: NamedArgument.read)
    var keepShift: String?

    /// Whether a copy for others is asked for.
    var isGiven: Bool { shiftDays != nil || trimTracks != nil }

    private static let mostDays = 36_500
    private static let mostMetres = 100_000.0

    func validate() throws {
        if let shiftDays, shiftDays != "random" {
            guard let days = Int(shiftDays), (-Self.mostDays...Self.mostDays).contains(days), days != 0 else {
                throw ValidationError("--shift-days takes random, or days from -36500 to 36500 other than 0.")
            }
        }
        if let trimTracks, !(trimTracks > 0 && trimTracks <= Self.mostMetres) {
            throw ValidationError("--trim-tracks takes metres from 1 to 100000.")
        }
        if keepShift != nil, shiftDays == nil { throw ValidationError("--keep-shift goes with --shift-days.") }
    }

    /// What is to be done; nil for nothing. Writes the file of `--keep-shift`, so that no copy is made whose shift is lost.
    ///
    /// - Throws: `usage` where that file has another number, `inputOutput` where it has none, `cannotCreate`.
    func copy() throws -> SharedCopy? {
        guard isGiven else { return nil }
        let kept = try keptDays()
        let asked = shiftDays.flatMap { Int($0) }
        if let kept, let asked, kept != asked {
            throw HealthProbeError(
                .usage, "The file of --keep-shift has another number of days.",
                hint: "Choose another file, or --shift-days random to use the number in it.")
        }
        let days = shiftDays == nil ? nil : kept ?? asked ?? SharedCopy.randomShift()
        if let keepShift, kept == nil, let days { try keep(days, keepShift) }
        return SharedCopy(shiftDays: days, trimMetres: trimTracks)
    }

    /// Says once by how much dates were moved.
    func tell(_ copy: SharedCopy?, _ common: CommonOptions) throws {
        guard let days = copy?.shiftDays, keepShift == nil else { return }
        let text = "All dates were moved by \(days) days. This is stored nowhere; --keep-shift FILE would."
        StandardError.write(text + "\n")
    }

    private func keptDays() throws -> Int? {
        guard let keepShift, linkStatus(keepShift) != nil else { return nil }
        try InputFile.requireReadable(keepShift, hint: "Name another file with --keep-shift.")
        let stored = (FileManager.default.contents(atPath: keepShift)?.prefix(4096)).flatMap { bytes in
            JSON.parse(Array(bytes.filter { $0 != 0x0A }))
        }
        guard let days = stored?["days"]?.int else {
            throw HealthProbeError(
                .inputOutput, "\(keepShift) holds no number of days.", hint: "Name another file with --keep-shift.")
        }
        return Int(days)
    }

    private func keep(_ days: Int, _ path: String) throws {
        let place = try OutputPlace(path, .file("shift"), OutputGuard(archive: ""), replaces: false)
        let line = JSON.line("shift", ["days": Int64(days)]).line
        _ = try place.publish(Array((line + "\n").utf8))
    }
}
