/// The part of docs/cli.md that follows from the definitions: what questions take and what rows say.
package enum AnswerReference {
    /// The line before the part and the line behind it.
    package static let begin = "<!-- Follows from the definitions of answers: HEALTHPROBE_WRITE=1 writes it. -->"
    package static let end = "<!-- End of what follows from the definitions. -->"

    /// The pages of answers that commands print as CSV, too.
    private static let withCSV = ["records", "aggregates", "workouts", "metrics", "nights", "ecg"]

    /// Options that nearly every command has, which docs/cli.md describes once, and what `ecg` takes without a name.
    private static let common: Set<String> = ["at", "chain", "ecg"]

    /// Markdown: a section for each answer with columns.
    package static var text: String {
        let answers = AnswerDefinition.all.compactMap { answer in answer.rows.map { (answer, $0) } }
        return answers.map { answer, rows in
            let options = answer.fields.filter { !common.contains($0.name) }.map { field in
                let value = field.placeholder.map { " " + $0.uppercased() } ?? ""
                return "- `--\(field.name)\(value)`: \(field.meaning)\(field.usual.map { " Default: \($0)." } ?? "")"
            }
            let title = ["", "### A row of `\(answer.command)`", ""]
            let head = title + options + (options.isEmpty ? [] : ["", "Members:", ""])
            return (head + rows.reference(withCSV.contains(answer.page))).joined(separator: "\n") + "\n"
        }.joined() + "\n"
    }
}
