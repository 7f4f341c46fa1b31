// Web: the local web interface without a server: a `Request` in, an `Answer` out.
//
// In the order in which to read: `Request.swift` and `Answer.swift` are all that a server knows of it. `Site.swift` answers
// a request, `Site+Basis.swift` says from what an answer follows. `Routing/` has the pages with their parameters, and the one
// place where a URL is read and built. `Frame/` is what all pages share: header, style sheet, messages. `Jobs/` has what pages
// start, `Settings/` how they look. `Pages/` has a file for each page, which asks the archive what the command of its name
// asks, and shows the same document or returns the same rows.
// `Server/` puts it on a socket. The rest opens none, has no clock, and writes one file: the settings. What else writes is
// another run of the program.
