import BoardControl
import BoardService
import Testing

@testable import BoardCore
@testable import boardd

@Suite("boardd status, and what a failure prints")
struct StatusPageTests {
    private static let noon = Timestamp(seconds: 1_780_315_470)

    /// A departure whose estimate is this old, in seconds.
    private func departure(age: Int) -> ReportedDeparture {
        let departure = Departure(
            stop: StopID(feed: FeedName("tfl"), code: "1"), line: Line(id: "73", name: "73"), destination: "Victoria",
            status: .delayed, madeAt: Self.noon - .seconds(age), expiresAt: Self.noon + .seconds(60))
        return ReportedDeparture(departure, of: Favourite(stop: departure.stop), minutes: nil, hold: nil, isShown: true)
    }

    private var state: BoardState {
        let at = Self.noon
        let live = LiveState(
            name: "boardpi", version: "1.2.3", time: at, timeSource: .feed, utcOffsetSeconds: 0,
            display: DisplayPicture(
                rows: ["Oxford St N   12:04 ", "73  Oxford Circu due"], lit: false,
                dots: DisplayDots(.characters, rows: []), page: .init(id: "tfl:1", screen: 1, screens: 2),
                isResponding: false),
            pages: [
                .init(id: "overview", title: "All stops", screens: 1),
                .init(id: "tfl:1", title: "Oxford St N", screens: 2),
            ],
            stops: [
                StopReport(
                    stop: StopID(feed: FeedName("tfl"), code: "1"), name: "Oxford Street", label: "Oxford St",
                    lines: ["73"], distanceMetres: 120, time: at, status: .failing,
                    lastResponseAt: at - .seconds(300), nextPollAt: at + .seconds(30),
                    lastError: .init(.timedOut, detail: "no response\u{1B}[2J", at: at - .seconds(90_000)),
                    departures: [departure(age: 400), departure(age: 340), departure(age: 360)]),
                StopReport(
                    stop: StopID(feed: FeedName("tfl"), code: "2"), name: "tfl:2", time: at, status: .loading,
                    partialFailure: .init(.status(503), detail: "half of it", at: at)),
                StopReport(
                    stop: StopID(feed: FeedName("tfl"), code: "3"), name: "tfl:3", time: at, status: .live,
                    lastResponseAt: at - .milliseconds(500)),
            ], favourites: [],
            faults: BoardFaults(
                configuration: "favourites.toml:3", display: "no device at 0x27", buttons: "GPIO line 17 is in use"))
        return BoardState(
            live: live,
            feeds: [
                FeedState(
                    name: FeedName("tfl"), title: "TfL", attribution: "Powered by TfL Open Data",
                    interval: .seconds(30),
                    keys: [.init(name: "TFL_APP_KEY", isSet: true)])
            ],
            directory: [
                DirectoryState(
                    feed: FeedName("tfl"), stops: 20_123, lines: 700,
                    completed: Self.noon - .seconds(90_000),
                    update: .init(state: .running, page: 4, fraction: 0.416)),
                DirectoryState(
                    feed: FeedName("rail"), stops: 0, lines: 0,
                    update: .failed(ServiceError(.unavailable, "no network"))),
            ],
            buttons: [.init(.first, line: 17, ButtonBinding()), .init(ButtonID(number: 2), line: 27, .second)])
    }

    @Test("a display that was found by itself is named")
    func foundDisplay() {
        var state = state
        (state.display.isResponding, state.faults.display) = (true, nil)
        state.foundDisplay = "found by itself: ssd1306 at 0x3c on /dev/i2c-1"
        let page = StatusPage(state: state, zone: .utc).text
        #expect(page.contains("\ndisplay: responding; found by itself: ssd1306 at 0x3c on /dev/i2c-1\n"))
    }

    @Test("the page shows the whole state in the machine's zone, failures first")
    func page() throws {
        let zone = try Zone(posix: "BST-1")
        let expected = """
            boardd 1.2.3
            time: 13:04:30, from HTTP Date headers; the system clock is not synchronised
            page: off; sudo boardd page on turns it on

            ! configuration: fault at favourites.toml:3, which is not in use. Run boardd check.
            ! display: not responding: no device at 0x27
            ! buttons: GPIO line 17 is in use
            ! Oxford St N (tfl:1), 120 m away, lines 73
              request failed, last response 5 min ago, newest estimate 5 min ago, 3 departures, next poll at 13:05:00
              last error, at 2026-05-31 12:04:30: no response [2J
            ! tfl:2
              no response yet, polling
              partial data at 13:04:30: half of it
            ! stop directory of rail: not downloaded yet; the last update failed: no network

            ┌────────────────────┐
            │Oxford St N   12:04 │
            │73  Oxford Circu due│
            └────────────────────┘
            page in view: Oxford St N (tfl:1), screen 2 of 2; the light is off

            button 1, GPIO 17: short next, hold open, long-hold sort
            button 2, GPIO 27: short open, hold back

            tfl:3
              live, last response just now, 0 departures, polling

            TfL: Powered by TfL Open Data. Every 30 s; TFL_APP_KEY is set

            stop directory of tfl: 20123 stops and 700 lines, complete at 2026-05-31 12:04:30; updating, page 4, 42%

            """
        let text = StatusPage(state: state, zone: zone).text
        #expect(text == expected, "\(text)")
    }

    @Test("a stop of which the filters hide every departure says so")
    func filtered() {
        func text(_ directions: [[String]]) -> String {
            var state = state
            state.live.stops[2].departures = directions.map {
                ReportedDeparture(
                    departure(age: 0).departure, of: Favourite(stop: state.live.stops[2].stop, directions: $0),
                    minutes: nil, hold: nil, isShown: false)
            }
            return StatusPage(state: state, zone: .utc).text
        }
        let words = "exclude all 2 that the operator reports"
        #expect(text([["Westbound"], ["Brixton"]]).contains(words))
        #expect(!text([["Westbound"], ["Victoria"]]).contains("exclude"))
    }

    @Test("the page names the address of the page that the daemon serves, where it is in view")
    func address() {
        var state = state
        state.display.page = .init(id: PageReport.address, screen: 0, screens: 1)
        state.pages.append(.init(id: PageReport.address, title: "Address in the network", screens: 1))
        #expect(
            StatusPage(state: state, zone: .utc).text.contains(
                "\npage in view: Address in the network; the light is off\n"))
        state.display.light = .off
        #expect(StatusPage(state: state, zone: .utc).text.contains("; the light is off (boardd light off)\n"))
    }

    @Test(
        "the page shows where a browser finds the page that the daemon serves",
        arguments: [
            (["http://192.168.178.201", "http://boardpi.local"], "http://192.168.178.201 or http://boardpi.local"),
            ([], "on, but this machine has no address in a network"),
        ])
    func pageAddresses(_ addresses: [String], line: String) {
        var state = state
        state.pageAddresses = addresses
        #expect(StatusPage(state: state, zone: .utc).text.contains("\npage: \(line)\n"))
    }

    @Test("the page shows that the operator's timetable has ended, but not a future end")
    func ended() {
        func row(_ end: Timestamp) -> String {
            var state = state
            state.stops = [
                StopReport(
                    stop: StopID(feed: FeedName("gtfs.town"), code: "P"), name: "Park", time: Self.noon, status: .live,
                    timetableEndsAt: end)
            ]
            let rows = StatusPage(state: state, zone: .utc).text.split(separator: "\n")
            return rows.first { $0.hasPrefix("  live") }.map(String.init) ?? ""
        }
        let end = "; the timetable ended at 2026-05-31 11:04:30; later departures are unknown"
        #expect(row(Self.noon - .seconds(90_000)) == "  live, 0 departures\(end), polling")
        #expect(row(Self.noon + .seconds(1)) == "  live, 0 departures, polling")
    }

    @Test("an error prints its message, its faults with their positions, and candidates")
    func commandError() {
        let several = CommandError(
            ServiceError(
                .notFound, "there is no stop \"x\"",
                candidates: [Candidate(id: "tfl:1", name: "High Street"), Candidate(id: "tfl:490", name: "Park")]))
        #expect(
            several.text
                == "there is no stop \"x\"\ndid you mean one of these?\n  tfl:1    High Street\n  tfl:490  Park\n")
        #expect(several.status == 1)
        let one = CommandError(ServiceError(.invalid, "no such line", candidates: [Candidate(id: "73")]))
        #expect(one.text == "no such line\ndid you mean 73?\n")
        let faulty = CommandError(
            ServiceError(
                .invalid, "faulty",
                faults: [Fault(file: "/a.toml", line: 3, column: 1, message: "x"), Fault(file: "/b", message: "y")]))
        #expect(faulty.text == "faulty\n/a.toml:3:1: x\n/b: y\n")
        #expect(faulty.status == ExitStatus.configuration)
    }

    @Test(
        "every failure has the documented exit status",
        arguments: [
            (.noDaemon, 69), (.noAccess, 77), (.timedOut, 75), (.unexpectedResponse, 76), (.connectionLost, 69),
            (.unavailable, 75), (.noDirectory, 69), (.unusableDirectory, 69), (.notAllowed, 77), (.conflict, 1),
            (.malformed, 64), (.failed, 74),
            (.unreadable, 76),
            (.notFound, 1), (.invalid, 1),
        ] as [(ServiceError.Kind, Int32)])
    func statuses(kind: ServiceError.Kind, status: Int32) {
        #expect(CommandError(ServiceError(kind, "x")).status == status)
    }
}
