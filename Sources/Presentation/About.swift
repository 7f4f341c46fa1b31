// Presentation: how HealthProbe's findings become text for people.
//
// Tables, numbers and progress are made here, and nowhere else, from plain values. The target knows nothing of Health, of
// archives or of commands: it does no input, and writes only where a caller hands it a writer. What comes out of an export
// is hostile until shown otherwise, so all text on its way to a terminal passes `TerminalText.safe` of `TextFormats`.
