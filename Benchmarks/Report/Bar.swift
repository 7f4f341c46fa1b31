/// One bar of section 9 of the design, with what was measured against it.
struct Bar {
    let work: String
    let bar: String
    let measured: String
    let isMet: Bool

    init(_ work: String, _ bar: String, _ measured: String, isMet: Bool) {
        self.work = work
        self.bar = bar
        self.measured = measured
        self.isMet = isMet
    }
}
