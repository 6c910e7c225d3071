import ArgumentParser
import BoardControl
import BoardCore
import BoardDisplays
import BoardFeeds
import BoardIO
import BoardService
import BoardStore
import Glibc

/// `boardd doctor`: checks everything that a board needs.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check what the board needs, and print what to do.",
        discussion: """
            The files, the display, the button, the network with one request to each operator in use, clock and time zone, keys, \
            the service, the page, the stop lists, and the free space. Changes nothing. Exit status: 0 all good, 1 a fault, 2 something was \
            not checked. Example: sudo boardd doctor
            """)

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let facts = try await diagnosis().facts
        try StandardOutput.write(json ? PrettyJSON.text(facts) : facts.table)
        if facts.status != 0 { throw ExitCode(facts.status) }
    }

    private func diagnosis() async throws -> Diagnosis {
        let result = configuration.result
        let loaded = result.readable
        let board = await ConfigurationOption.boardState()
        let (responses, reading) = (await Self.responses(loaded), SystemClock().reading())
        let used = Set(loaded.favourites.map(\.stop.feed))
        let environment = Environment.current
        let folder = Folders(environment: environment).state
        return try await DedicatedThread.run("doctor") {
            Diagnosis(
                configuration: result, buses: I2CBusScan.all(), gpio: GPIOScan(), board: board, responses: responses,
                isClockSynchronised: reading.isSynchronised, zone: MachineZone.current, now: reading.wall,
                program: MachineFacts.updates(environment: environment),
                service: MachineFacts.properties(of: "boardd.service", environment: environment) ?? [:],
                page: PageSwitch(environment: environment).state,
                addresses: { MachineAddress.origins(port: $0).map(\.description) },
                lists: StopDirectory(folder: folder).editions(),
                listedFeeds: FeedFactory.listed(of: loaded.feeds, using: used).filter { used.contains($0) },
                folder: folder, freeSpace: Self.freeSpace(in: folder))
        }
    }

    /// The responses to one request to each feed in use: these show the network, the key and the zone.
    private static func responses(_ loaded: Configuration) async -> [Diagnosis.Response] {
        guard let factory = try? FeedFactory(source: .live(record: nil), clock: SystemClock()) else { return [] }
        var seen: Set<FeedName> = []
        var responses: [Diagnosis.Response] = []
        for favourite in loaded.favourites where seen.insert(favourite.stop.feed).inserted {
            // If there is no feed, the loader has reported why.
            guard let feedOperator = FeedRegistry.feedOperator(favourite.stop.feed),
                let feed = try? factory.feed(feedOperator, loaded)
            else { continue }
            do throws(FeedError) {
                responses.append((feed.profile.title, .success(try await feed.departures(favourite.request))))
            } catch {
                responses.append((feed.profile.title, .failure(error)))
            }
        }
        return responses
    }

    /// The bytes that this user may still write to the folder, or to the nearest one above it that exists.
    private static func freeSpace(in folder: String) -> Int? {
        var status = statvfs()
        var path = folder
        while unsafe statvfs(path, &status) != 0 {
            guard errno == ENOENT, let end = path.lastIndex(of: "/"), end != path.startIndex else { return nil }
            path = String(path[..<end])
        }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }
}
