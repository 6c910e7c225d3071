/// The measurements inside one process; `Benchmarks/run` measures the program from outside.
///
///     boardd-bench bus | faults | soak DAYS | turn | decode KIND FILE COUNT
///     boardd-bench timetable ZIP STOPS SECONDS | stops ZIP | scan FILE STOPS | realtime ZIP STOPS FILE SECONDS COUNT
///     boardd-bench import URL FOLDER | search FOLDER SEARCHES | wear FOLDER HOURS | wear-control FOLDER HOURS
@main
enum Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, Array(arguments.dropFirst())) {
        case ("bus", []): BusCost.report()
        case ("faults", []): FaultScenarios.report()
        case ("soak", let rest) where rest.count == 1: SoakTest.report(days: Int(rest[0]) ?? 30)
        case ("turn", []): TurnCost.report()
        case ("decode", let rest) where rest.count == 3:
            await DecodeCost.report(DecodeCost.Kind(rawValue: rest[0]) ?? .tfl, file: rest[1], count: Int(rest[2]) ?? 1)
        case ("import", let rest) where rest.count == 2: await ListImport.report(url: rest[0], folder: rest[1])
        case ("search", let rest) where rest.count == 2: SearchCost.report(folder: rest[0], file: rest[1])
        case ("wear", let rest) where rest.count == 2:
            DiskWear.report(folder: rest[0], hours: Int(rest[1]) ?? 24, isControl: false)
        case ("wear-control", let rest) where rest.count == 2:
            DiskWear.report(folder: rest[0], hours: Int(rest[1]) ?? 1, isControl: true)
        case ("timetable", let rest) where rest.count == 3:
            TimetableCost.report(archive: rest[0], stops: rest[1], moment: Int64(rest[2]) ?? 0)
        case ("stops", let rest) where rest.count == 1: TimetableCost.stops(archive: rest[0])
        case ("scan", let rest) where rest.count == 2: TimetableCost.scan(file: rest[0], stops: rest[1])
        case ("realtime", let rest) where rest.count == 5:
            RealtimeCost.report(
                archive: rest[0], stops: rest[1], file: rest[2], moment: Int64(rest[3]) ?? 0, count: Int(rest[4]) ?? 1)
        default:
            print(
                """
                boardd-bench bus | faults | soak DAYS | turn | decode KIND FILE COUNT
                             timetable ZIP STOPS SECONDS | stops ZIP | scan FILE STOPS
                             realtime ZIP STOPS FILE SECONDS COUNT
                             import URL FOLDER | search FOLDER SEARCHES | wear FOLDER HOURS | wear-control FOLDER HOURS
                """)
        }
    }
}
