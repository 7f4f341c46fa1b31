/// Telling a report of this program by its beginning, so that another file is never taken for one.
package enum ReportRecognition {
    /// Whether a text begins as a report does, in any of its forms.
    package static func isReport(_ start: String) -> Bool {
        start.hasPrefix("# Two Health exports compared\n")
            || start.hasPrefix(#"{"schema":"\#(Reporting.schema("report"))""#)
            || start.hasPrefix("<!DOCTYPE html>\n<html") && start.contains("<title>Health exports of ")
    }
}
