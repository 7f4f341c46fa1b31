// Presentation: how HealthProbe's findings become text for people.
//
// In the order in which to read: `Document/` is what people are shown, as data; `Terminal/`, `MarkdownRenderer.swift` and
// `Page/` (HTML, with charts as SVG) render it; `Progress/` is what happens meanwhile.
// The target knows nothing of Health, of archives or of commands, does no input, and writes only where a caller hands it
// a writer. What comes out of an export is hostile until shown otherwise: all text on its way to a terminal passes
// `TerminalText.safe`, all text of a page `HTMLText.escaped`.
