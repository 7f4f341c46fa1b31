/// The exit codes of the contract, as the help pages list them.
enum ExitCodes {
    /// Some observation is partial.
    static let partial: Int32 = 3
    /// `diff --exit-code` found differences.
    static let differences: Int32 = 1
    /// An invariant of the archive does not hold.
    static let integrity: Int32 = 4

    /// All of them.
    static let all = """
        Exit codes: 0 done; 1 differences found (only with diff --exit-code); 3 the observation is partial; 4 integrity
        failure; 64 usage, unknown observation included; 65 not a usable Health export, unrelated, encrypted, or an
        unknown or newer archive; 66 no such input; 73 cannot create the output or it exists; 74 input/output error,
        disk full included; 75 the archive is in use by another writer; 130 interrupted.
        """

    /// Those of a command that reads the archive, with its own ones before them.
    static func reading(_ own: String = "") -> String {
        "Exit codes: 0 done; \(own)4 the archive is damaged; 64 usage, unknown observation included; 65 no archive of "
            + "this program, or a newer one; 66 no archive there; 74 input/output error."
    }

    /// Those of a command that reads the archive and writes a file.
    static var writing: String {
        reading().dropLast() + ", disk full included; 73 the output exists or cannot be made."
    }
}
