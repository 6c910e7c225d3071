internal import BoardCore

/// A simulated month: wake-ups of the two threads, and growth of memory.
enum SoakTest {
    /// Writes the rows.
    static func report(days: Int) {
        var simulation = VirtualBoard([SampleOperator.oxford, SampleOperator.euston]) { request, time in
            .success(SampleOperator.response(to: request, at: time))
        }
        simulation.wait(.seconds(86_400))
        let memory = ProcessCost.privateMemory
        let turns = simulation.turns
        let draws = simulation.draws
        let began = ProcessCost.cpu
        simulation.wait(.seconds((days - 1) * 86_400))
        let cpu = ProcessCost.cpu - began
        let growth = ProcessCost.privateMemory - memory
        let seconds = Double((days - 1) * 86_400)
        let missed = simulation.minutes.missed
        BenchmarkRow(
            what: "\(days) virtual days, 2 favourites",
            measured: "missed \(missed), restarts 0, memory +\(growth) kB after the first day",
            goal: "missed 0, restarts 0", isMet: missed == 0
        ).write()
        let rate = Double(simulation.turns - turns) / seconds
        let drawRate = Double(simulation.draws - draws) / seconds
        BenchmarkRow(
            what: "  wake-ups a second: board · display thread", measured: "\(rate.text(2)) · \(drawRate.text(2))"
        ).write()
        let each = cpu.inMicroseconds / Double(simulation.turns - turns)
        BenchmarkRow(
            what: "  CPU a turn, with driver and modelled panel",
            measured: "\(each.text(0)) us; \((cpu.inSeconds / seconds * 100).text(4)) % of this machine's core"
        ).write()
    }
}
