/// Measures what can be measured inside one process; `Benchmarks/run` measures the program from outside.
///
///     boardd-bench bus | hours | life DAYS | turn | decode FILE COUNT
@main
enum Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, Array(arguments.dropFirst())) {
        case ("bus", []): BusCost.report()
        case ("hours", []): ScriptedHours.report()
        case ("life", let rest) where rest.count == 1: LongLife.report(days: Int(rest[0]) ?? 30)
        case ("turn", []): TurnCost.report()
        case ("decode", let rest) where rest.count == 2:
            await DecodeCost.report(file: rest[0], count: Int(rest[1]) ?? 1)
        default: print("boardd-bench bus | hours | life DAYS | turn | decode FILE COUNT")
        }
    }
}
