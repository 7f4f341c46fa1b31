internal import Presentation

/// Where an export is chosen, or dropped, to be imported.
enum ImportPage {
    static var content: PageContent { PageContent("Import an export", [form]) }

    /// Where an export is chosen or dropped.
    static var form: HTML {
        HTML(
            [
                .element(
                    "p", [:],
                    HTML(
                        "On the phone, the Health app exports all data as one zip. Choose that file here, or drop it on this "
                            + "page. It is copied beside the archive, imported, and the copy is removed.")),
                .element(
                    "form", ["id": "import", "method": "post", "action": Uploads.path],
                    .element(
                        "label", [:], .element("span", [:], "The export"),
                        .void("input", ["type": "file", "accept": ".zip,.xml", "required": ""])),
                    .element("button", [:], "Import"),
                    .element("progress", ["max": "1", "value": "0", "hidden": "", "aria-label": "Sent"], .empty),
                    .element("span", ["role": "status"], .empty)),
                .element(
                    "noscript", [:],
                    .element(
                        "p", [:], "This needs the page's script. Without it, use the command line: ",
                        .element("code", [:], "healthprobe import export.zip"))),
            ])
    }
}

extension Site {
    /// - Throws: `WebError.degraded` where the last check of the archive failed; an archive that is not there yet is sound.
    package func requireSoundArchive() throws {
        if !failedChecks.isEmpty { throw WebError(.degraded) }
    }

    /// The upload that a request begins; nil for every other request.
    ///
    /// - Parameter byteCount: what the request says of its length.
    /// - Throws: `WebError`: `forbidden` where pages may not import, `usage` without a length, those of `Uploads.begin`.
    package func upload(_ request: Request, byteCount: Int64?) throws -> Upload? {
        guard request.method == .post, request.path == Uploads.path else { return nil }
        guard let uploads, !isReadOnly else {
            throw WebError(
                .forbidden, "This server is read-only.", hint: "Start healthprobe serve without --read-only.")
        }
        let names = request.parameters.filter { $0.name == "name" }
        guard request.parameters.count == names.count, names.count <= 1 else { throw WebError(.usage) }
        guard let byteCount else { throw WebError(.usage, "An upload says its length.", hint: "Send Content-Length.") }
        let name = (names.first?.value ?? "").filter { $0 != "\0" }
        return try uploads.begin(byteCount: byteCount, name: name.isEmpty ? "export.zip" : String(name.prefix(200)))
    }
}
