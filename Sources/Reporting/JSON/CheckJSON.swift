package import Archive
package import TextFormats

/// The line of `check --json`.
package enum CheckJSON {
    /// One check's line.
    package static func line(_ result: CheckResult) -> JSON {
        [
            "schema": .string(Reporting.schema("check")), "healthy": .bool(result.healthy),
            "invariants": .array(
                result.invariants.map {
                    ["id": .string($0.id), "holds": .bool($0.holds), "detail": .optional($0.detail)]
                }),
        ]
    }
}
