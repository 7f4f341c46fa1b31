package import Foundation

/// A chart as data: a page draws it, the other renderers show its table.
package struct Chart: Sendable {
    /// What is drawn.
    package enum Drawing: Sendable {
        /// Counts at points in time, joined by a line.
        case line([Point])
        /// Differences from zero, one bar for each point in time.
        case bars([Point])
        /// Pairs of bars, each pair on a scale of its own.
        case pairs([Pair])
        /// Values of spans of time, a line for each series; where nothing was recorded, there is a gap.
        case spans([Series])
        /// Shades of a table's numbers.
        case matrix(Matrix)
        /// Measurements along an axis of numbers, a colour for each series: a dot, or a bar from its begin to its end.
        /// Of a pace, in minutes, low values are at the top.
        case readings([Marks], isPace: Bool)
        /// When something was so, a lane for each thing.
        case lanes([Lane])
        /// Lines on a plane, in metres to the right and up: one scale for both, and no axes.
        case outline([[Place]], marks: [PlaceMark] = [], isPace: Bool = false)
        /// Rows of bars on one scale.
        case levels([Level])
    }

    /// The intervals of one thing.
    package struct Lane: Sendable {
        package var name: String
        /// Intervals of Unix seconds, by what was so.
        package var parts: [Part]
        /// Where the lane leads to.
        package var link: Document.Link?

        package struct Part: Sendable {
            /// Which colour.
            package var kind: Int
            package var intervals: [Range<Int64>]

            package init(_ kind: Int, _ intervals: [Range<Int64>]) { (self.kind, self.intervals) = (kind, intervals) }
        }

        package init(_ name: String, _ parts: [Part], link: Document.Link? = nil) {
            (self.name, self.parts, self.link) = (name, parts, link)
        }
    }

    /// A place on a plane.
    package struct Place: Sendable {
        package var x: Double
        package var y: Double
        /// What the line from here on is coloured by; nil where nothing is known.
        package var value: Double?

        package init(x: Double, y: Double, value: Double? = nil) { (self.x, self.y, self.value) = (x, y, value) }
    }

    /// A name at a place of an outline.
    package struct PlaceMark: Sendable {
        package var place: Place
        package var name: String

        package init(_ place: Place, _ name: String) { (self.place, self.name) = (place, name) }
    }

    /// A row of bars.
    package struct Level: Sendable {
        package var name: String
        /// One a side; nil for what is not known.
        package var values: [Double?]
        /// How they are printed.
        package var texts: [String]

        package init(_ name: String, _ values: [Double?], _ texts: [String]) {
            (self.name, self.values, self.texts) = (name, values, texts)
        }
    }

    /// Measurements of one side.
    package struct Marks: Sendable {
        package var name: String
        package var marks: [Mark]

        package init(_ name: String, _ marks: [Mark]) { (self.name, self.marks) = (name, marks) }
    }

    /// A measurement: at a number, or from one to another.
    package struct Mark: Sendable {
        package var begin: Double
        package var end: Double
        package var value: Double

        package init(_ begin: Double, _ end: Double, _ value: Double) {
            (self.begin, self.end, self.value) = (begin, end, value)
        }
    }

    /// Values over spans of time.
    package struct Series: Sendable {
        /// How it is drawn.
        package enum Look: Sendable {
            case line
            /// A broken line: it is made of the others.
            case total
            /// Bars from zero.
            case bars
            /// Bars behind those of the other series: what an earlier export had.
            case then
            /// No values of the axis, but a strip along it where the span holds: how much of something else there is.
            case strip
        }

        package var name: String
        /// In order.
        package var spans: [Span]
        package var look: Look

        package init(_ name: String, _ spans: [Span], _ look: Look = .line) {
            self.name = name
            self.spans = spans
            self.look = look
        }
    }

    /// The value of a day or of several days.
    package struct Span: Sendable {
        /// Unix seconds of the first instant and of the one behind the last.
        package var start: Int64
        package var end: Int64
        /// The first day.
        package var label: String
        package var value: Double
        /// The smallest and the largest of what the value is a mean of.
        package var range: ClosedRange<Double>?

        package init(_ start: Int64, _ end: Int64, _ label: String, _ value: Double, range: ClosedRange<Double>? = nil)
        {
            self.start = start
            self.end = end
            self.label = label
            self.value = value
            self.range = range
        }
    }

    /// Numbers by row and column, of which some are marked.
    package struct Matrix: Sendable {
        package var rows: [String]
        package var columns: [String]
        /// By row; nil for none.
        package var values: [[Double?]]
        /// By row.
        package var isMarked: [[Bool]]

        package init(rows: [String], columns: [String], values: [[Double?]], isMarked: [[Bool]]) {
            self.rows = rows
            self.columns = columns
            self.values = values
            self.isMarked = isMarked
        }
    }

    /// A value at an instant.
    package struct Point: Sendable {
        /// Unix seconds.
        package var instant: Int64
        /// The instant's day: an instant alone does not say on whose clock its day is.
        package var label: String
        package var value: Double
        /// Whether the point is one of those that the document is about.
        package var isMarked: Bool

        package init(_ instant: Int64, _ label: String, _ value: Double, isMarked: Bool = false) {
            self.instant = instant
            self.label = label
            self.value = value
            self.isMarked = isMarked
        }
    }

    /// One quantity before and after, or another two of a kind.
    package struct Pair: Sendable {
        package var name: String
        /// What the two values are called.
        package var sides: [String]
        package var before: Double
        package var after: Double
        /// How the two values are printed.
        package var texts: [String]

        package init(
            _ name: String, _ before: Double, _ after: Double, sides: [String] = ["before", "after"],
            text: (Double) -> String
        ) {
            self.name = name
            self.sides = sides
            self.before = before
            self.after = after
            texts = [text(before), text(after)]
        }
    }

    /// The numbers under the title, where nothing is drawn.
    var blocks: [Document.Block] { table.rows.isEmpty ? [] : [.subheading(title), .table(table)] }

    package var title: String
    /// A sentence for those who do not see the drawing.
    package var description: String
    package var drawing: Drawing
    /// The same in numbers.
    package var table: Table
    /// Of the values.
    package var unit = ""
    /// Whether the axis of readings is of Unix seconds.
    package var isOfTime = false
    /// On whose clocks the days of the axis are.
    package var zone = TimeZone.gmt
    /// What the axis spans at least: Unix seconds, or the numbers of readings; nil for no more than what is drawn.
    package var span: ClosedRange<Double>?
    /// The question that takes `since` and `until`: an interval of the drawing leads to it; nil for a drawing that leads
    /// nowhere.
    package var entry: Document.Link?

    package init(_ title: String, _ description: String, _ drawing: Drawing, table: Table = Table([])) {
        self.title = title
        self.description = description
        self.drawing = drawing
        self.table = table
    }
}
