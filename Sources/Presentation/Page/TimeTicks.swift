internal import Foundation

/// The round instants of an axis of time.
enum TimeTicks {
    /// At most about a dozen, with their names on the clocks of a zone.
    static func make(_ start: Double, _ end: Double, _ zone: TimeZone) -> [(at: Double, name: String)] {
        // Dates of an export may be any.
        guard start.magnitude < 1e11, end.magnitude < 1e11, start < end else { return [] }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let (unit, step) = grain(days: (end - start) / 86_400)
        let whole: Calendar.Component = unit == .year ? .year : unit == .month ? .year : unit == .day ? .month : .day
        guard var date = calendar.dateInterval(of: whole, for: Date(timeIntervalSince1970: start))?.start else {
            return []
        }
        if unit == .year {
            date =
                calendar.date(byAdding: .year, value: -(calendar.component(.year, from: date) % step), to: date) ?? date
        }
        var found: [(Double, String)] = []
        while date.timeIntervalSince1970 < end, found.count < 40 {
            if date.timeIntervalSince1970 >= start {
                let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
                found.append((date.timeIntervalSince1970, name(parts, unit)))
            }
            guard var next = calendar.date(byAdding: unit, value: step, to: date) else { break }
            // Weeks of a month begin with it.
            if unit == .day, step > 1, let month = calendar.dateInterval(of: .month, for: date)?.end,
                next.timeIntervalSince(month) > -Double(step - 2) * 86_400
            {
                next = month
            }
            date = next
        }
        return found
    }

    private static func grain(days: Double) -> (Calendar.Component, Int) {
        switch days {
        case 14_600...: (.year, max(5, Int(days / 365 / 10 / 5) * 5))
        case 4_400...: (.year, 2)
        case 1_400...: (.year, 1)
        case 400...: (.month, 3)
        case 100...: (.month, 1)
        case 20...: (.day, 7)
        case 3...: (.day, 1)
        case 0.8...: (.hour, 3)
        case 0.2...: (.hour, 1)
        case 0.1...: (.minute, 30)
        case 0.04...: (.minute, 10)
        case 0.02...: (.minute, 5)
        case 0.008...: (.minute, 2)
        default: (.minute, 1)
        }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func name(_ date: DateComponents, _ unit: Calendar.Component) -> String {
        let month = months[((date.month ?? 1) + 11) % 12]
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return switch unit {
        case .year: "\(date.year ?? 0)"
        case .month: date.month == 1 ? "\(date.year ?? 0)" : month
        case .day: "\(date.day ?? 1) \(month)"
        default:
            date.hour == 0 && date.minute == 0 ? "\(date.day ?? 1) \(month)" : "\(two(date.hour)):\(two(date.minute))"
        }
    }
}
