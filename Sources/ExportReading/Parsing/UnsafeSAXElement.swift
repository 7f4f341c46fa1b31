internal import Basics
internal import Foundation

/// A start tag as libxml2 reports it.
///
/// `@safe`: names and values are handed out as views with bounds. All of it is valid during the callback only.
@safe
struct SAXElement {
    typealias Strings = UnsafeMutablePointer<UnsafePointer<UInt8>?>

    let name: SAXName
    let namespaceCount: Int
    let attributeCount: Int
    private let namespaces: Strings?
    private let attributes: Strings?

    /// - Parameters:
    ///   - namespaces: two pointers a namespace.
    ///   - attributes: five pointers an attribute.
    @unsafe init(
        _ name: SAXName, namespaces: Strings?, _ namespaceCount: Int, attributes: Strings?, _ attributeCount: Int
    ) {
        self.name = name
        unsafe self.namespaces = namespaces
        unsafe self.attributes = attributes
        self.namespaceCount = unsafe namespaces == nil ? 0 : namespaceCount
        self.attributeCount = unsafe attributes == nil ? 0 : attributeCount
    }

    /// A namespace that the tag declares, as the attribute that declares it.
    func namespace(_ index: Int) -> (name: String, uri: ByteView) {
        precondition(index >= 0 && index < namespaceCount)
        let prefix = unsafe namespaces?[index * 2].map { unsafe ":" + ByteView(cString: $0).string } ?? ""
        let uri = unsafe namespaces?[index * 2 + 1].map { unsafe ByteView(cString: $0) } ?? ByteView("")
        return ("xmlns" + prefix, uri)
    }

    @inline(__always)
    func attribute(_ index: Int) -> (name: SAXName, value: ByteView)? {
        precondition(index >= 0 && index < attributeCount)
        let at = index * 5
        guard let attributes = unsafe attributes, let name = unsafe attributes[at],
            let from = unsafe attributes[at + 3], let to = unsafe attributes[at + 4]
        else { return nil }
        return unsafe (SAXName(name, prefix: attributes[at + 1]), ByteView(from, from.distance(to: to)))
    }

    /// The namespaces that the tag declares and its attributes, by their names as printed.
    var strings: [(name: String, value: String)] {
        (0..<namespaceCount).map { (namespace($0).name, namespace($0).uri.string) }
            + (0..<attributeCount).compactMap { attribute($0).map { ($0.name.text, $0.value.string) } }
    }
}

/// The name of an element or attribute.
///
/// `@safe`: it is handed out as a view with bounds, valid while the document is parsed.
@safe
struct SAXName {
    private let local: UnsafePointer<UInt8>
    private let prefix: UnsafePointer<UInt8>?

    /// - Parameters:
    ///   - local: ends with 0, as `prefix` does.
    @inline(__always)
    @unsafe init(_ local: UnsafePointer<UInt8>, prefix: UnsafePointer<UInt8>?) {
        unsafe self.local = local
        unsafe self.prefix = prefix
    }

    var hasPrefix: Bool { unsafe prefix != nil }

    /// The name without its prefix.
    var view: ByteView { unsafe ByteView(cString: local) }

    /// libxml2 keeps each name once, so its address identifies it while the document is parsed.
    var address: Int { unsafe Int(bitPattern: local) }

    /// The name as printed.
    var text: String { unsafe (prefix.map { unsafe ByteView(cString: $0).string + ":" } ?? "") + view.string }
}

extension ByteView {
    /// - Parameter text: ends with 0.
    @unsafe fileprivate init(cString text: UnsafePointer<UInt8>) {
        unsafe self.init(text, strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self)))
    }
}
