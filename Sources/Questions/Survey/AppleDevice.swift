internal import Basics

/// An iPhone or Apple Watch as a survey names it: its hardware family and the major version of its system.
package struct AppleDevice: Sendable, Hashable {
    /// What it is.
    package enum Kind: String, Sendable {
        case iPhone
        case watch = "Watch"
    }

    package let kind: Kind
    /// `iPhone13`, `Watch6`; nil where the export states none of that form.
    package let family: String?
    /// The system's major version; nil where the export states none.
    package let system: Int?

    /// - Parameter fields: the device's fields as canonical JSON.
    /// - Returns: nil for all that is neither an iPhone nor an Apple Watch.
    init?(fields: String?) {
        guard let fields = fields.flatMap({ JSON.parse($0) }), fields["manufacturer"]?.string == "Apple Inc.",
            let kind = fields["model"]?.string.flatMap(Kind.init)
        else { return nil }
        self.kind = kind
        let hardware = fields["hardware"]?.string.map { $0.prefix { $0 != "," } } ?? ""
        let number = hardware.dropFirst(kind.rawValue.count)
        // A longer number is no family, but could be a number of one device.
        let isNumber = (1...3).contains(number.utf8.count) && number.utf8.allSatisfy(\.isDigit)
        let isFamily = hardware.hasPrefix(kind.rawValue) && isNumber
        family = isFamily ? String(hardware) : nil
        let major = fields["software"]?.string.map { $0.prefix { $0 != "." } } ?? ""
        system = major.utf8.count <= 3 && major.utf8.allSatisfy(\.isDigit) ? Int(major) : nil
    }
}
