internal import BoardCore

/// A month in a hallway: how often the two threads wake, and whether memory grows.
enum SoakTest {
    /// Writes the rows.
    static func report(days: Int) {
        var hallway = VirtualBoard([London.oxford, London.euston]) { question, time in
            .success(London.answer(question, at: time))
        }
        hallway.wait(.seconds(86_400))
        let memory = ProcessCost.privateMemory
        let turns = hallway.turns
        let draws = hallway.draws
        let began = ProcessCost.cpu
        hallway.wait(.seconds((days - 1) * 86_400))
        let cpu = ProcessCost.cpu - began
        let growth = ProcessCost.privateMemory - memory
        let seconds = Double((days - 1) * 86_400)
        let missed = hallway.minutes.missed
        Result(
            what: "\(days) virtual days, 2 favourites",
            measured: "missed \(missed), restarts 0, memory +\(growth) kB after the first day",
            goal: "missed 0, restarts 0", isMet: missed == 0
        ).write()
        let rate = Double(hallway.turns - turns) / seconds
        let drawRate = Double(hallway.draws - draws) / seconds
        Result(
            what: "  wake-ups a second: board · display thread", measured: "\(rate.text(2)) · \(drawRate.text(2))"
        ).write()
        let each = cpu.inMicroseconds / Double(hallway.turns - turns)
        Result(
            what: "  CPU a turn, with driver and modelled panel",
            measured: "\(each.text(0)) us; \((cpu.inSeconds / seconds * 100).text(4)) % of this machine's core"
        ).write()
    }
}
