internal import ArgumentParser

/// A bare libxml2 pass over a file: what reading costs before anything is done with it.
struct SAXFloorPass: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floor-sax", abstract: "Reads a file with libxml2 and only counts.", shouldDisplay: false)

    @Argument var file: String

    func run() throws {
        let counts = try UnsafeSAXFloor.count(file)
        print("\(counts.elements) elements, \(counts.attributes) attributes, \(counts.characters) bytes of text")
    }
}
