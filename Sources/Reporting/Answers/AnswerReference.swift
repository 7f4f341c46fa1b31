/// The part of docs/cli.md that follows from the definitions: what questions take and what rows say.
package enum AnswerReference {
    /// The line before the part and the line behind it.
    package static let begin = "<!-- Follows from the definitions of answers: HEALTHPROBE_WRITE=1 writes it. -->"
    package static let end = "<!-- End of what follows from the definitions. -->"

    /// The pages of answers that commands print as CSV, too.
    private static let withCSV = ["records", "aggregates", "workouts", "metrics"]

    /// Markdown: a section for each answer with columns.
    package static var text: String {
        let answers = AnswerDefinition.all.compactMap { answer in answer.rows.map { (answer, $0) } }
        return answers.map { answer, rows in
            let options = answer.fields.map { field in
                let value = field.placeholder.map { " " + $0.uppercased() } ?? ""
                return "| `--\(field.name)\(value)` | \(field.meaning)\(field.usual.map { " Default: \($0)." } ?? "") |"
            }
            let head = ["", "### A row of `\(answer.command)`", "", answer.summary, ""]
            let table = ["| option, and parameter of a URL | |", "|---|---|"] + options
            let hasCSV = withCSV.contains(answer.page)
            let columns = ["", "| member | type | |\(hasCSV ? " CSV |" : "")", "|---|---|---|\(hasCSV ? "---|" : "")"]
            return (head + table + columns + rows.reference(hasCSV)).joined(separator: "\n") + "\n"
        }.joined() + "\n"
    }
}
