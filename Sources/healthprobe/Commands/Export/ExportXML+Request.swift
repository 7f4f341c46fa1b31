internal import Archive
internal import ArgumentParser
internal import Exporting
internal import GRDB
internal import TextFormats

extension ExportXML {
    /// The question that the options ask.
    ///
    /// - Throws: `usage`, `unknownObservation`, `unknownChain`.
    func request(_ db: Database) throws -> HealthExportRequest {
        let chain = try ObservationResolver.chain(db, name: common.chain)
        let target = try ObservationResolver.resolve(at ?? to ?? "latest", in: chain)
        var request = HealthExportRequest(chain: chain, observation: target, question: .visible)
        if let from {
            request.question = .changes(from: try ObservationResolver.resolve(from, in: chain), kinds: try kinds())
        } else if let state {
            switch state {
            case "visible": break
            case "ever": request.question = .ever
            case "finest": request.question = .finest
            default:
                throw ArchiveError(.usage, "There is no state of this name.", hint: "Choose visible, ever or finest.")
            }
        }
        request.typeIdentifiers = try export.typeIdentifiers(db, common)
        (request.since, request.until) = try export.interval()
        request.offsetSeconds = try offset.map(Self.offsetSeconds)
        request.isZip = zip
        request.fillsCreationDates = fillCreationDates
        request.provenance = try export.profile(default: .full)
        request.include = try export.parts()
        return request
    }

    /// The changes asked for; without any, those that a diff has.
    /// - Throws: for what is none.
    func kinds() throws -> Set<HealthExportRequest.ChangeKind> {
        guard !change.isEmpty else { return [.appeared, .disappeared, .representationChanged] }
        return Set(try ListArgument.values(change, option: "--change"))
    }

    /// `+0200` or `-05:30` in seconds.
    private static func offsetSeconds(_ text: String) throws -> Int32 {
        let digits = text.utf8.filter { $0 != 0x3A }
        guard digits.count == 5, let sign = digits.first, sign == 0x2B || sign == 0x2D,
            let instant = Instant("2000-01-01 00:00:00 " + String(decoding: digits, as: UTF8.self))
        else {
            throw ArchiveError(.usage, "--offset takes hours and minutes.", hint: "Write +0200 or -0530.")
        }
        return instant.offsetSeconds
    }
}
