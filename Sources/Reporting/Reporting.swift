/// How findings become text: one value from the archive, many renderers.
///
/// `JSON/` writes the lines of the contract (`docs/cli.md` lists every name), `Text/` the tables for people. Nothing
/// here asks the archive anything: what is shown was read before, or is handed over row by row. Wording is neutral and
/// names what can be shown: records appeared, or are no longer visible; why stays open unless evidence tells.
package enum Reporting {
    /// `healthprobe.<name>/1`, the schema name of a JSON line.
    package static func schema(_ name: String) -> String { "healthprobe.\(name)/1" }
}
