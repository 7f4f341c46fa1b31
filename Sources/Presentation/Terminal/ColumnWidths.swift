/// How wide the columns of a table become where there is little room.
///
/// Long titles of numbers and dates go into several lines first, then texts become shorter, the widest first; where that
/// is not enough, columns are left out in the order that they state. What remains then may be wider than the room:
/// numbers and dates are never cut.
struct ColumnWidths {
    /// Two columns of space between neighbours: one is too little beside right-aligned numbers.
    static let gutter = 2

    private let columns: [Table.Column]
    private let contents: [Int]
    private let titles: [Int]
    private let wrapped: [Int]

    /// - Parameter contents: how wide each column's cells are.
    init(_ columns: [Table.Column], contents: [Int], header: Bool) {
        self.columns = columns
        self.contents = contents
        titles = columns.map { header ? min($0.maxWidth, DisplayWidth.of($0.title)) : 0 }
        wrapped = titles.enumerated().map { index, width in
            guard width > 0 else { return 0 }
            return (1..<width).first { room in
                let lines = Self.wrapped(columns[index].title, to: room)
                return lines.count <= 2 && lines.allSatisfy { DisplayWidth.of($0) <= room }
            } ?? width
        }
    }

    /// The widths; nil for columns that are left out.
    func fitting(_ room: Int?) -> [Int?] {
        var shown = Set(columns.indices)
        func visible(_ widths: [Int]) -> [Int?] { columns.indices.map { shown.contains($0) ? widths[$0] : nil } }
        let full = columns.indices.map { max(contents[$0], titles[$0]) }
        guard let room else { return full }
        while true {
            if total(full, of: shown) <= room { return visible(full) }
            let widths = shrunk(
                columns.indices.map { isCut($0) ? full[$0] : max(contents[$0], wrapped[$0]) }, of: shown, to: room,
                by: shortest)
            if total(widths, of: shown) <= room { return visible(widths) }
            let next = shown.filter { columns[$0].leftOut != nil }.min {
                (columns[$0].leftOut ?? 0, -$0) < (columns[$1].leftOut ?? 0, -$1)
            }
            guard let next else {
                // Nothing is left to go: titles of numbers are cut too, and a few letters still say more than none.
                let bare = columns.indices.map {
                    isCut($0) ? widths[$0] : max(contents[$0], min(Self.narrowest, titles[$0]))
                }
                return visible(
                    grown(
                        shrunk(bare, of: shown, to: room) { columns[$0].kind == .name ? 8 : Self.narrowest },
                        to: widths,
                        of: shown, room))
            }
            shown.remove(next)
        }
    }

    /// A title in lines of at most so many columns, broken between words.
    static func wrapped(_ title: String, to width: Int) -> [String] {
        var lines: [String] = []
        for word in title.split(separator: " ") {
            if let last = lines.last, DisplayWidth.of(last) + 1 + DisplayWidth.of(String(word)) <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines.isEmpty ? [title] : lines
    }

    private static let narrowest = 4

    /// Whether cells of a column may be cut.
    private func isCut(_ index: Int) -> Bool { [.text, .words, .name].contains(columns[index].kind) }

    /// Below this a text says too little; a column that could be left out goes before.
    private func shortest(_ index: Int) -> Int { columns[index].kind == .name ? 16 : 8 }

    private func total(_ widths: [Int], of shown: Set<Int>) -> Int {
        shown.reduce(0) { $0 + widths[$1] } + Self.gutter * max(0, shown.count - 1)
    }

    /// Gives back what room is left: first to the titles that need least to be whole, then to texts.
    private func grown(_ widths: [Int], to wanted: [Int], of shown: Set<Int>, _ room: Int) -> [Int] {
        var widths = widths
        var left = room - total(widths, of: shown)
        for index in shown.sorted(by: {
            (isCut($0) ? 1 : 0, wanted[$0] - widths[$0], $0) < (isCut($1) ? 1 : 0, wanted[$1] - widths[$1], $1)
        }) where left > 0 {
            let more = min(left, max(0, wanted[index] - widths[index]))
            widths[index] += more
            left -= more
        }
        return widths
    }

    /// Takes terminal columns away from the widest text, one at a time.
    private func shrunk(_ widths: [Int], of shown: Set<Int>, to room: Int, by shortest: (Int) -> Int) -> [Int] {
        var widths = widths
        var excess = total(widths, of: shown) - room
        while excess > 0 {
            let candidates = shown.filter { isCut($0) && widths[$0] > shortest($0) }
            guard let widest = candidates.max(by: { (widths[$0], -$0) < (widths[$1], -$1) }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
