/// Something about a companion file: an error, or a warning.
package struct CompanionFinding: Equatable, Sendable {
    /// What is wrong; a file with an error is not used.
    package enum ErrorCode: String, Error, Sendable, CaseIterable {
        case syntax, unknownSchema, missingMember, wrongType, unknownMember, unknownValue, outOfRange, duplicateId
        case danglingReference, mismatchedRun, endsBeforeStart, badTrigger, badExpression
    }

    /// What may be meant otherwise.
    package enum WarningCode: String, Sendable, CaseIterable {
        case userConfidenceBelowOne, keyWithoutRun, playOnceIgnored, neverFires, unreachable
    }

    /// The name of one of the codes.
    package let code: String
    /// Where in the file, as RFC 6901 writes it.
    package let pointer: String
    /// What would be right, without the file's values.
    package let message: String
    /// The line of a syntax error, from 1.
    package let line: Int?
    /// The column of a syntax error, or in the text of an expression, from 1.
    package let column: Int?
}

extension CompanionFinding {
    init(_ code: ErrorCode, _ pointer: String, _ message: String, line: Int? = nil, column: Int? = nil) {
        self.init(code: code.rawValue, pointer: pointer, message: message, line: line, column: column)
    }

    init(warning code: WarningCode, _ pointer: String, _ message: String) {
        self.init(code: code.rawValue, pointer: pointer, message: message, line: nil, column: nil)
    }
}

/// A companion file that was read, with what was found.
package struct CompanionCheck: Equatable, Sendable {
    /// Nil where there are errors.
    package internal(set) var file: CompanionFile?
    /// The first errors.
    package internal(set) var errors: [CompanionFinding] = []
    /// How many errors there are in all.
    package internal(set) var errorCount = 0
    package internal(set) var warnings: [CompanionFinding] = []

    /// How many errors are kept.
    package static let mostErrors = 100
}

/// Collects the errors of a file, its ids and its references.
final class CompanionFindings {
    /// What a reference leads to.
    enum Target: String {
        case run, script, message
        case voiceNote = "voice note"
        case aiReply = "AI reply"
        /// What nothing refers to.
        case other
    }

    private(set) var errors: [CompanionFinding] = []
    private(set) var errorCount = 0
    /// What has each id: several objects where it is a duplicate.
    private var ids: [String: Set<Target>] = [:]
    private var references: [(id: String, target: Target, pointer: String)] = []

    func note(_ code: CompanionFinding.ErrorCode, _ pointer: String, _ message: String, column: Int? = nil) {
        errorCount += 1
        if errors.count < CompanionCheck.mostErrors {
            errors.append(CompanionFinding(code, pointer, message, column: column))
        }
    }

    /// Notes the id of an object; one that the file has already is an error.
    func add(id: String, of target: Target, _ pointer: String) {
        if ids[id.lowercased()] != nil { note(.duplicateId, pointer, "another object of the file has this id") }
        ids[id.lowercased(), default: []].insert(target)
    }

    /// Notes a reference, which `checkReferences` follows.
    func add(reference id: String, to target: Target, _ pointer: String) {
        references.append((id.lowercased(), target, pointer))
    }

    /// Notes the references that lead nowhere; for the end, when all ids are known.
    func checkReferences() {
        for reference in references where ids[reference.id]?.contains(reference.target) != true {
            note(.danglingReference, reference.pointer, "the file has no \(reference.target.rawValue) with this id")
        }
    }
}
