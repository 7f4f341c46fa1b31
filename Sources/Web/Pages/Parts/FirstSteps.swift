internal import Presentation

/// How a first export comes into the archive.
enum FirstSteps {
    static func html(_ site: Site) -> [HTML] {
        let command = HTML.element("code", [:], "healthprobe import export.zip")
        let link = HTML.element("a", ["href": Uploads.path], "send it from here")
        return [
            .element(
                "p", [:],
                "HealthProbe keeps what each export of the Health app showed, and tells what changed from one to the next."
            ),
            .element(
                "ol", [:],
                .element(
                    "li", [:],
                    "On the phone, open the Health app, tap your picture, and choose Export All Health Data. It makes one zip."
                ),
                .element("li", [:], "Bring the zip to this computer."),
                .element(
                    "li", [:],
                    HTML(
                        ["Import it: "] + (site.offersUpload ? [link, ", or on the command line with "] : []) + [
                            command
                        ])),
                .element(
                    "li", [:],
                    "Export again in a few days or weeks, and import that, too: then there is something to compare.")),
        ]
    }
}
