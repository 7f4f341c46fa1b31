internal import Presentation

/// The words of the pages, their keys, and what the program does not claim.
enum HelpPage {
    static var content: PageContent {
        var document = Document()
        document.append(.heading("What you see"))
        document.facts([
            ("Observation", "What one export of the Health app showed when it was made."),
            ("Chain", "The observations of one phone in the order of their exports."),
            ("Visible", "A record is visible at an observation when its export has it."),
            ("Appeared", "Visible now, and not at the observation before."),
            ("No longer visible", "Visible before, and not now. Why is not inferred."),
            (
                "Changed representation",
                "The same sample, written in other words: another unit, another name of its source."
            ),
            (
                "Consolidated",
                "Several records were replaced by fewer, longer ones in the export; the phone's own store may still hold the inner points."
            ),
            ("Partial", "The export ended early or was damaged. What it does not show is no evidence."),
            ("Quarantine", "Items that could not be read as samples. They are kept as text."),
            (
                "Identity",
                "A hash of what makes a sample itself: type, dates, value and unit. Exports carry no identifiers of samples."
            ),
        ])
        document.append(.heading("Keys"))
        document.facts([
            ("j, k", "The next and the previous observation."), ("t", "The timeline."),
            ("/", "The first field of a form."),
            ("?", "This page."),
        ])
        document.append(
            .heading("What is not claimed"),
            .list(
                [
                    "That a record is no longer visible does not say who or what removed it, or that it is gone from the phone.",
                    "Consolidation is recognised by what replaced it; without the condenser's own mark it is called likely.",
                    "Sums over several sources count what two of them recorded at the same time twice, and say so.",
                ].map { .init($0) }), .heading("For programs"),
            .paragraph(
                "Most pages end with links to the same content as JSON, JSON lines or CSV: the bytes that the command of the page's name prints."
            ), .heading("SQL", anchor: "sql"),
            .paragraph(
                "With --show-sql a command prints the statements behind its numbers for the sqlite3 shell, for instance healthprobe records --at 2 --show-sql. Reports have them beside their numbers."
            ))
        return PageContent("Help", LinkAddresses().html(document))
    }
}
