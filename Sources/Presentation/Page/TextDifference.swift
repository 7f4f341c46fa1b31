/// Two texts with what differs between them marked: what begins and what ends alike stays plain.
enum TextDifference {
    /// The two texts; what is in the first alone as `del`, what is in the second alone as `ins`.
    static func html(_ before: String, _ after: String) -> (before: HTML, after: HTML) {
        let sides = [Array(before), Array(after)]
        guard sides.allSatisfy({ !$0.isEmpty && $0.count <= longest }) else {
            return (marked(before, "del"), marked(after, "ins"))
        }
        let shortest = min(sides[0].count, sides[1].count)
        var start = 0
        while start < shortest, sides[0][start] == sides[1][start] { start += 1 }
        var end = 0
        while end < shortest - start, sides[0][sides[0].count - 1 - end] == sides[1][sides[1].count - 1 - end] {
            end += 1
        }
        func side(_ text: [Character], _ name: StaticString) -> HTML {
            let middle = String(text[start..<(text.count - end)])
            return .element(
                "bdi", [:], HTML(String(text[..<start])), marked(middle, name),
                HTML(String(text[(text.count - end)...])))
        }
        return (side(sides[0], "del"), side(sides[1], "ins"))
    }

    /// Longer texts are marked as a whole.
    private static let longest = 2000

    private static func marked(_ text: String, _ name: StaticString) -> HTML {
        text.isEmpty ? .empty : .element(name, [:], .foreign(text))
    }
}
