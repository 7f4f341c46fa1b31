package import Presentation
package import Training

extension CompanionCheck {
    /// The errors and warnings as tables.
    package func document(_ path: String) -> Document {
        var document = Document()
        if let file {
            let scripts = file.runs.count { $0.script != nil }
            document.paragraph(
                "\(path): valid. \(Counts.of(file.runs.count, "run")), \(Counts.of(scripts, "script")), "
                    + "\(Counts.of(file.raceSetups.count, "race setup")).")
        } else {
            document.paragraph("\(path): not valid. \(Counts.of(errorCount, "error")).")
        }
        var table = Table([.left("Error"), .exact("Where"), .left("What"), .right("Line"), .right("Column")])
        for error in errors {
            let places = [error.line, error.column].map { $0.map { "\($0)" } ?? "-" }
            table.addRow([error.code, error.pointer, error.message] + places)
        }
        if errorCount > errors.count { table.remark = "These are the first \(errors.count)." }
        if !errors.isEmpty { document.append(.table(table)) }
        var remarks = Table([.left("Warning"), .exact("Where"), .left("What")])
        for warning in warnings { remarks.addRow([warning.code, warning.pointer, warning.message]) }
        if !warnings.isEmpty { document.append(.table(remarks)) }
        return document
    }
}
