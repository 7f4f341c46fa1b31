/// Which hashes the archive under test gives to which samples of the model, learned from its listings.
struct HashLearning {
    /// Samples whose hashes are known beyond doubt.
    private(set) var table: [Sample: SampleHashes] = [:]
    /// What the listings say that cannot be: one identity for two strict keys, two for one, and the like.
    private(set) var mismatches: [String] = []

    /// - Parameters:
    ///   - samples: everything that any export of the history showed.
    ///   - records: everything that the archive listed at any observation.
    init(samples: [Sample], records: [[String: Any]]) {
        let modelGroups = Dictionary(grouping: Set(samples)) { Content($0) }
        var archiveGroups: [Content: [SampleHashes: Set<String>]] = [:]
        for record in records {
            guard let hashes = SampleHashes(record: record) else {
                mismatches.append("a record without identity or version: \(record)")
                continue
            }
            archiveGroups[Content(record: record), default: [:]][hashes, default: []].insert(Self.attributes(record))
        }
        for (content, group) in modelGroups {
            guard let listed = archiveGroups[content] else { continue }
            learn(content, group, listed)
        }
        checkIdentities()
    }

    /// One content: one sample and one pair of hashes, or several that differ in attributes or children.
    private mutating func learn(_ content: Content, _ group: [Sample], _ listed: [SampleHashes: Set<String>]) {
        if group.count != listed.count {
            let versions = listed.keys.sorted().map(\.short)
            mismatches.append(
                "\(content): \(group.count) different samples in the exports, \(listed.count) listed as \(versions)")
        } else if let sample = group.first, let hashes = listed.keys.first, group.count == 1 {
            table[sample] = hashes
        } else {
            let byAttributes = Dictionary(grouping: group, by: Self.attributes)
            for (attributes, samples) in byAttributes where samples.count == 1 {
                let matching = listed.filter { $0.value == [attributes] }.map(\.key)
                if let sample = samples.first, let hashes = matching.first, matching.count == 1 {
                    table[sample] = hashes
                }
            }
        }
    }

    /// The strict keys of the model and the identities of the archive are one to one.
    private mutating func checkIdentities() {
        var identities: [String: Set<String>] = [:]
        var keys: [String: Set<String>] = [:]
        for (sample, hashes) in table {
            identities["\(sample.type) \(sample.identity)", default: []].insert(hashes.identity)
            keys[hashes.identity, default: []].insert("\(sample.type) \(sample.identity)")
        }
        for (key, found) in identities where found.count > 1 {
            mismatches.append("one strict key, several identities: \(key): \(found.sorted())")
        }
        for (identity, found) in keys where found.count > 1 {
            mismatches.append("one identity, several strict keys: \(identity): \(found.sorted())")
        }
    }

    /// The plain texts among a sample's attributes.
    private static func attributes(_ sample: Sample) -> String {
        sample.attributes.filter { $0.value.hasPrefix("\"") }
            .map { "\($0.key)=\($0.value.dropFirst().dropLast())" }.sorted().description
    }

    /// The same of a record in JSON: dates are left out, their spelling is not fixed.
    private static func attributes(_ record: [String: Any]) -> String {
        let attributes = record["attributes"] as? [String: Any] ?? [:]
        return attributes.compactMap { name, value in
            let text = "\(value)"
            let isDate = text.count > 18 && text.dropFirst(13).first == ":" && text.dropFirst(4).first == "-"
            return isDate ? nil : "\(name)=\(text)"
        }
        .sorted().description
    }
}

extension SampleHashes {
    /// The hashes of a record in JSON.
    init?(record: [String: Any]) {
        guard let identity = record["identity"] as? String, let version = record["version"] as? String else {
            return nil
        }
        self.init(identity: identity, version: version)
    }

    /// Enough to tell hashes apart in a message.
    var short: String { "\(identity.prefix(8))/\(version.prefix(8))" }
}
