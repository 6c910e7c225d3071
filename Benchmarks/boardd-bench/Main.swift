/// The measurements inside one process; `Benchmarks/run` measures the program from outside.
///
///     boardd-bench timetable ZIP STOPS SECONDS | stops ZIP | scan FILE STOPS | realtime ZIP STOPS FILE SECONDS COUNT
///     boardd-bench import URL FOLDER | search FOLDER SEARCHES
@main
enum Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, Array(arguments.dropFirst())) {
        case ("import", let rest) where rest.count == 2: await ListImport.report(url: rest[0], folder: rest[1])
        case ("search", let rest) where rest.count == 2: SearchCost.report(folder: rest[0], file: rest[1])
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
                boardd-bench timetable ZIP STOPS SECONDS | stops ZIP | scan FILE STOPS
                             realtime ZIP STOPS FILE SECONDS COUNT
                             import URL FOLDER | search FOLDER SEARCHES
                """)
        }
    }
}
