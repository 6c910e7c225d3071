/// One line of what `make bench` prints: what was measured, what came out, what was wanted.
struct Result {
    /// What was measured.
    let what: String
    /// What came out.
    let measured: String
    /// What was wanted; nil: nothing, it is told for information.
    var goal: String?
    /// Whether the goal is met.
    var isMet = true

    /// Writes the line for `Benchmarks/run`: four fields with tabs between them.
    func write() {
        print(what, measured, goal ?? "", goal == nil ? "" : isMet ? "met" : "NOT MET", separator: "\t")
    }
}
