package import Basics
package import Training

extension CompanionCheck {
    /// What is wrong with the file, and what may be meant otherwise.
    package var json: JSON {
        .line(
            "companionCheck",
            [
                "valid": errorCount == 0, "errors": errors.map(\.json), "errorCount": errorCount,
                "warnings": warnings.map { JSON.row(["code": $0.code, "pointer": $0.pointer, "message": $0.message]) },
            ])
    }
}

extension CompanionFinding: JSONConvertible {
    package var json: JSON {
        .row(["code": code, "pointer": pointer, "message": message, "line": line, "column": column])
    }
}
