/// One row of the table of `make bench`.
struct BenchmarkRow {
    let what: String
    let measured: String
    /// nil: the row is for information only.
    var goal: String?
    var isMet = true

    /// Writes the row for `Benchmarks/run`: four fields with tabs between them.
    func write() {
        print(what, measured, goal ?? "", goal == nil ? "" : isMet ? "met" : "NOT MET", separator: "\t")
    }
}
