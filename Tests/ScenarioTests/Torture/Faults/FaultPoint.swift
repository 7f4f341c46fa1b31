import TestSupport

/// One fault at one system call of a command.
struct FaultPoint: CustomStringConvertible {
    let call: Strace.Call
    let fault: Fault
    let injection: String

    var description: String { "\(fault.rawValue) at \(call.name) \(call.number)" }

    /// All points of a recorded run.
    static func all(_ calls: [Strace.Call]) -> [FaultPoint] {
        Fault.allCases.flatMap { fault in
            calls.compactMap { call in
                fault.injection(call.name, call.number).map { FaultPoint(call: call, fault: fault, injection: $0) }
            }
        }
    }

    /// At most so many points of each call and fault, evenly spread over the run.
    static func spread(_ points: [FaultPoint], limit: Int) -> [FaultPoint] {
        let groups = Dictionary(grouping: points) { "\($0.fault.rawValue) \($0.call.name)" }
        return groups.sorted { $0.key < $1.key }.flatMap { _, group in
            group.count <= limit ? group : (0..<limit).map { group[($0 * 2 + 1) * group.count / (limit * 2)] }
        }
    }

    /// So many points of all, evenly spread; the order of the calls is mixed first, always in the same way.
    static func sample(_ points: [FaultPoint], count: Int, seed: UInt64) -> [FaultPoint] {
        var state = seed
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        return points.map { (next(), $0) }.sorted { $0.0 < $1.0 }.prefix(count).map(\.1)
    }
}
