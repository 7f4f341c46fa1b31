internal import Foundation
package import HealthModel

extension ExportReader {
    private static let electrocardiogramsInPage = 256

    /// Calls `deliver` with pages of ECG items, which are beside the XML; a file that is damaged or none is quarantined
    /// with its path.
    ///
    /// Of a zip that was cut off none is read, unless the others are known: the ECGs of an observation are all of its
    /// export or none.
    ///
    /// - Parameters:
    ///   - exportOffset: the document's `offsetSeconds`.
    ///   - knowsAll: whether an earlier import of the same export had the folder.
    ///   - stored: files that were kept from an earlier import of the same export, each with what reads its bytes, nil for
    ///     one that was damaged; those that the container has are read there.
    /// - Returns: how many lines among samples are none, by the name under which they are counted.
    @discardableResult
    package func readElectrocardiograms(
        exportOffset: Int32?, knowsAll: Bool = false, stored: [(path: String, read: () throws -> [UInt8]?)] = [],
        deliver: (ItemPage) throws -> Void
    ) throws -> [ExactText: Int] {
        guard types.includes(SampleType.electrocardiogram) else { return [:] }
        let preparer = ItemPreparer(types: types)
        var items: [ItemContent] = []
        var textLines = 0
        var broken: [QuarantinedItem] = []
        func flush() throws {
            let page = preparer.page(with: items)
            page.quarantined = broken
            try deliver(page)
            items = []
            broken = []
        }
        func add(_ bytes: [UInt8]?, path: String) throws {
            if items.count + broken.count >= Self.electrocardiogramsInPage { try flush() }
            guard let bytes, let item = ElectrocardiogramFile.item(bytes, path: path, exportOffset: exportOffset) else {
                broken.append(
                    QuarantinedItem(
                        reason: .electrocardiogram, sampleType: SampleType.electrocardiogram, place: .none, text: path))
                return
            }
            items.append(item.content)
            textLines += item.textLines
        }
        var present: Set<String> = []
        for file in container.sideFiles where ElectrocardiogramFile.isOne(file.path) && (knowsAll || !container.isCut) {
            let bytes = try ElectrocardiogramFile.bytes(of: file, in: container)
            // What is damaged where a zip was cut off may be whole in another container.
            if bytes == nil, container.isCut { continue }
            present.insert(file.path)
            try add(bytes, path: file.path)
        }
        for file in stored where !present.contains(file.path) { try add(try file.read(), path: file.path) }
        if !items.isEmpty || !broken.isEmpty { try flush() }
        return textLines == 0 ? [:] : ["Electrocardiogram#text": textLines]
    }
}
