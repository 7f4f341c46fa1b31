internal import ArgumentParser

/// The two observations of an export that lies between them.
struct SideOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The earlier observation; without it the one before the later.", valueName: "observation"))
    var from: String?

    @Option(help: ArgumentHelp("The later observation; latest without it.", valueName: "observation"))
    var to: String?

    @Flag(help: "Take for the earlier side everything that was visible from FROM up to, not including, TO.")
    var through = false
}
