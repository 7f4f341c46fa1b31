internal import Basics
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// What a command that reads the archive prints: a line with `--json`, a document without it, or with `--show-sql` the
/// queries behind either.
enum Answer {
    case finding(json: () -> JSON, document: () -> Document)
    case queries([PrintedQuery])

    /// A finding; only the requested form is made.
    static func of(
        _ json: @autoclosure @escaping () -> JSON, _ document: @autoclosure @escaping () -> Document
    ) -> Answer {
        .finding(json: json, document: document)
    }
}

extension CommonOptions {
    /// Opens the archive and reads one state of it.
    func read<R>(_ ask: (ArchiveDatabase) throws -> R) throws -> R {
        let reader = try openReader()
        defer { reader.close() }
        return try reader.read(ask)
    }

    /// Opens the archive and reads one state of the chain.
    func read<R>(_ ask: (ArchiveDatabase, Chain) throws -> R) throws -> R {
        try read { db in try ask(db, ObservationResolver.chain(db, name: chain)) }
    }

    /// Reads one state of the chain and prints what it answers, or the statements that the answer ran.
    func answer(_ sql: ShowSQL? = nil, _ ask: (ArchiveDatabase, Chain) throws -> Answer) throws {
        try print(
            read { db, chain in
                guard let sql, sql.showSql else { return try ask(db, chain) }
                return .queries(try PrintedQuery.run(on: db) { try ask(db, chain) }.queries)
            })
    }

    /// Which of these types the archive does not have, with what may have been meant; nil where it has all.
    func unknownTypes(_ arguments: [String], _ db: ArchiveDatabase) throws -> String? {
        let filter = TypeFilter(arguments)
        guard !filter.isEmpty else { return nil }
        let known = try RecordPage.typeIdentifiers(db)
        let unknown = filter.unmatchedArguments(among: known).map { argument in
            let nearest = NearestNames.of(argument, among: known.map(shortIdentifier))
            return "There is no type called '\(argument)' in the archive." + NearestNames.question(nearest)
        }
        return unknown.isEmpty ? nil : unknown.joined(separator: " ")
    }

    /// Prints such types on standard error.
    func noteUnknownTypes(_ arguments: [String], _ db: ArchiveDatabase) throws {
        if let warning = try unknownTypes(arguments, db) { note(warning) }
    }

    /// The sources that an argument names; where there is none, prints the nearest names on standard error.
    func sources(named name: String?, _ db: ArchiveDatabase) throws -> SourceFilter? {
        guard let name else { return nil }
        let filter = try SourceFilter(db, named: name)
        if filter.isEmpty {
            let question = NearestNames.question(filter.nearest)
            note(
                "There is no source called '\(name)' in the archive."
                    + (question.isEmpty ? " healthprobe sources lists them." : question))
        }
        return filter
    }

    func print(_ answer: Answer) throws { try Output.with { try print(answer, to: $0) } }

    /// Prints an answer that is a sentence.
    func print(_ line: JSON, _ sentence: String) throws { try print(.of(line, Document([.paragraph(sentence)]))) }

    func print(_ answer: Answer, to output: Output) throws {
        switch answer {
        case .finding(let line, let document):
            if json { try output.writeLine(line()) } else { try output.write(document()) }
        case .queries(let queries) where json: try output.writeLine(PrintedQuery.line(queries))
        case .queries(let queries):
            // SQL for the sqlite3 shell, with the titles as comments.
            for query in queries {
                let lines = query.sql.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                try output.write(Document((["-- \(query.title)"] + lines + [""]).map { .paragraph($0) }))
            }
        }
    }

    /// Prints lines of JSON, rows of CSV or a document; only the requested form is made.
    ///
    /// - Parameter csv: the rows; for a terminal, what it could obey is shown instead of handed on.
    func print(
        _ lines: @autoclosure () -> [UInt8], _ document: @autoclosure () -> Document, asCSV: Bool, to output: Output,
        csv: (_ forTerminal: Bool) -> [UInt8]
    ) throws {
        if json {
            try output.write(lines())
        } else if asCSV {
            try output.write(csv(Terminal.isTerminal(1)))
        } else {
            try output.write(document())
        }
    }
}
