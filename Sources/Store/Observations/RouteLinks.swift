package import GRDB
internal import HealthModel

/// What observations say of routes beside their rows: in which item each stands, and which side file it has.
///
/// The newest observation that shows a route counts. Where that one lacks the folder of routes, the route has the newest
/// file known before, carried over.
package struct RouteLinks {
    package struct Link: Sendable {
        /// The row that has the route's strict key.
        package var sample: Int64
        /// The row of the item that it stands in, of the same set; nil where there is none.
        package var owner: Int64?
        /// Its row in `side_files`; nil where none is known.
        package var file: Int64?
        /// Whether the file is that of an earlier observation.
        package var isCarriedOver = false
    }

    /// By the row of the route.
    package private(set) var links: [Int64: Link] = [:]
    private var byOwner: [Int64: [Int64]] = [:]

    /// The routes that stand in an item, by its row, in ascending order.
    package func routes(of owner: Int64) -> [Int64] { byOwner[owner] ?? [] }

    /// - Parameters:
    ///   - set: rows; the routes among them, and the items among them that these stand in.
    ///   - history: the ids of the chain's observations up to the one asked of, oldest first.
    /// - Complexity: the routes of the set and what the newest observations say of routes, until each is found.
    package init(_ db: Database, _ set: RecordSet, history: [Int64]) throws {
        let types = try SampleTypeNames.sorted(db).filter { $0.identifier == SampleType.workoutRoute }.map(\.id)
        guard !types.isEmpty else { return }
        let routes = try PreparedStatement(
            db,
            """
            SELECT c.id, c.sample_id \(set.along(types: types).sql) AND c.kind = \(ItemKind.workoutRoute.rawValue)
            """)
        while try routes.step() { links[routes.int(0)] = Link(sample: routes.int(1)) }
        guard !links.isEmpty else { return }
        var search = Search(links)
        for observation in history.reversed() where !search.isDone {
            try search.add(db, observation)
        }
        links = search.finish()
        try nameOwners(db, set)
    }

    /// What an observation says of one route.
    private struct Fact {
        var route: Int64
        var owner: Int64?
        var file: Int64?
    }

    /// The search for owner and file of each route, from the newest observation to the oldest.
    private struct Search {
        private var links: [Int64: Link]
        private var withoutOwner: Set<Int64>
        private var withoutFile: Set<Int64>
        /// What the newest observations say of other rows of the same samples, which a rename for instance left behind.
        private var former: [Int64: [Fact]] = [:]
        private let samples: Set<Int64>

        init(_ links: [Int64: Link]) {
            self.links = links
            withoutOwner = Set(links.keys)
            withoutFile = withoutOwner
            samples = Set(links.values.map(\.sample))
        }

        var isDone: Bool { withoutOwner.isEmpty && withoutFile.isEmpty }

        mutating func add(_ db: Database, _ observation: Int64) throws {
            let lacksFolder = try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM absent_folders WHERE import_id = ? AND kind = ?)"),
                arguments: [observation, SideFileKind.workoutRoute.rawValue])
            let rows = try PreparedStatement(
                db,
                """
                SELECT r.record_version_id, ifnull(c.sample_id, c.id), r.owner_id, r.side_file_id
                FROM shown_routes r JOIN record_versions c ON c.id = r.record_version_id
                WHERE r.import_id = \(observation) ORDER BY r.record_version_id
                """)
            var others: [Int64: [Fact]] = [:]
            while try rows.step() {
                let fact = Fact(route: rows.int(0), owner: rows.optionalInt(2), file: rows.optionalInt(3))
                guard var link = links[fact.route] else {
                    if fact.file != nil, samples.contains(rows.int(1)) { others[rows.int(1), default: []].append(fact) }
                    continue
                }
                let isNewest = withoutOwner.remove(fact.route) != nil
                if isNewest { link.owner = fact.owner }
                if withoutFile.contains(fact.route), fact.file != nil || isNewest && lacksFolder == false {
                    (link.file, link.isCarriedOver) = (fact.file, fact.file != nil && !isNewest)
                    withoutFile.remove(fact.route)
                }
                links[fact.route] = link
            }
            former.merge(others) { newer, _ in newer }
        }

        /// Gives routes without a file those of former rows of the same route, first where they stood in the same item.
        mutating func finish() -> [Int64: Link] {
            for route in withoutFile.sorted() {
                guard var link = links[route], var facts = former[link.sample], !facts.isEmpty else { continue }
                let place = facts.firstIndex { $0.owner == link.owner } ?? 0
                (link.file, link.isCarriedOver) = (facts.remove(at: place).file, true)
                links[route] = link
                former[link.sample] = facts
            }
            return links
        }
    }

    /// Replaces owners that the set does not have by another row of the same sample that it has.
    private mutating func nameOwners(_ db: Database, _ set: RecordSet) throws {
        let sample = try PreparedStatement(db, "SELECT ifnull(sample_id, id) FROM record_versions WHERE id = ?")
        let versions = try PreparedStatement(db, "SELECT c.id \(set.ofSample().sql) ORDER BY c.id")
        var known: [Int64: Int64?] = [:]
        for (route, link) in links.sorted(by: { $0.key < $1.key }) {
            guard let owner = link.owner else { continue }
            if known[owner] == nil {
                var found: Int64?
                sample.bind(1, owner)
                if try sample.step() {
                    versions.bind(1, sample.int(0))
                    while found != owner, try versions.step() {
                        if found == nil || versions.int(0) == owner { found = versions.int(0) }
                    }
                    versions.reset()
                }
                sample.reset()
                known[owner] = .some(found)
            }
            let named = known[owner] ?? nil
            links[route]?.owner = named
            if let named { byOwner[named, default: []].append(route) }
        }
    }
}
