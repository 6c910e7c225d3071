import ArgumentParser
import BoardControl
import BoardCore
import BoardDisplays
import BoardIO
import BoardService
import BoardStore

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the state of the running board.",
        discussion: "Times are in this machine's zone; with --json in UTC. Example: boardd status")

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let state = try await ConfigurationOption.runningBoard().state()
        try StandardOutput.write(
            json ? PrettyJSON.text(state) : StatusPage(state: state, zone: MachineZone.current).text)
    }
}

/// The state of a board as a page of text: failures first, marked with `!`.
struct StatusPage {
    let state: BoardState
    let zone: Zone

    var text: String {
        let sections = [configuration, [.display(state)] + buttons, stops, feeds, directory, settings]
        let failures = sections.joined().filter { $0.verdict == .fault }.flatMap { ["! \($0.lines[0])"] + $0.details }
        return ([head, failures, frame] + sections.map { $0.filter { $0.verdict != .fault }.flatMap(\.lines) }).page
    }

    private var head: [String] {
        let source =
            switch state.timeSource {
            case .kernel: "system clock, synchronised"
            case .feed: "from HTTP Date headers; the system clock is not synchronised"
            case .disputed:
                "unsure: the operators' clocks disagree, and the system clock is not synchronised: check NTP (timedatectl)"
            case .wall: "system clock, not synchronised"
            }
        return ["boardd \(state.version)", "time: \(time(state.time)), \(source)", "page: \(page)"]
    }

    private var page: String {
        guard let addresses = state.pageAddresses else { return "off; sudo boardd page on turns it on" }
        return addresses.isEmpty
            ? "on, but this machine has no address in a network" : addresses.joined(separator: " or ")
    }

    private var frame: [String] {
        let picture = FrameText(state.live.displayPicture.frame).lines
        let (page, title) = (state.display.page, state.live.pageTitle)
        let isStop = title != page.id && state.stops.contains { $0.stop.description == page.id }
        let name = "page in view: \(title)\(isStop ? " (\(page.id))" : "")"
        let screen = page.screens > 1 ? ", screen \(page.screen + 1) of \(page.screens)" : ""
        return picture + ["\(name)\(screen)\(state.display.lit ? "" : "; the light is off")\(mode)"]
    }

    /// What a client has set; nothing otherwise.
    private var mode: String { state.display.light == .auto ? "" : " (boardd light \(state.display.light.rawValue))" }

    private var stops: [Fact] {
        guard !state.stops.isEmpty else { return [Fact(.remark, Fact.noFavourites, "")] }
        return state.stops.map { stop in
            // As on the display, with the letter: the two sides of a road share a name.
            let id = stop.stop.description
            let title = state.pages.first { $0.id == id }?.title ?? stop.label ?? stop.name
            let name = title == id ? title : "\(title) (\(id))"
            let distance = stop.distanceMetres.map { ", \(Metres($0)) away" } ?? ""
            let lines = stop.lines.isEmpty ? "" : ", lines \(stop.lines.joined(separator: ", "))"
            var rows = ["  \(status(stop))\(nextPoll(stop))"]
            if let error = stop.lastError { rows.append("  last error, at \(time(error.at)): \(error.detail)") }
            if let partialFailure = stop.partialFailure {
                rows.append("  partial data at \(time(partialFailure.at)): \(partialFailure.detail)")
            }
            let isFailure =
                [.frozen, .failing].contains(stop.status) || stop.partialFailure != nil || timetableEnd(of: stop) != nil
            return Fact(isFailure ? .fault : .good, "\(name)\(distance)\(lines)", "", details: rows)
        }
    }

    private func status(_ stop: StopReport) -> String {
        let word =
            switch stop.status {
            case .loading: "no response yet"
            case .live: "live"
            case .frozen: "frozen: responses arrive, but their estimates do not change"
            case .failing: "request failed"
            }
        let age = stop.lastResponseAt.map { ", last response \(ago($0))" } ?? ""
        let newest = stop.newestEstimate.map { ", newest estimate \(ago($0))" } ?? ""
        let count = Daemon.count(stop.departures.count { $0.isShown == true }, "departure")
        let end =
            timetableEnd(of: stop).map { "; the timetable ended at \(time($0)); later departures are unknown" } ?? ""
        let all = stop.departures.count
        let others =
            all == 0 || stop.departures.contains(where: \.passesFilters)
            ? "" : "; the favourite's lines, platforms and directions exclude all \(all) that the operator reports"
        return stop.status == .loading ? word : "\(word)\(age)\(newest), \(count)\(others)\(end)"
    }

    /// The end of the operator's timetable; nil: in the future, or unknown.
    private func timetableEnd(of stop: StopReport) -> Timestamp? {
        stop.timetableEndsAt.flatMap { $0 <= state.time ? $0 : nil }
    }

    private func nextPoll(_ stop: StopReport) -> String {
        stop.nextPollAt.map { ", next poll at \(time($0))" } ?? ", polling"
    }

    private var feeds: [Fact] {
        state.feeds.map { feed in
            let keys = feed.keys.isEmpty ? "" : "; " + feed.keys.map(\.words).joined(separator: ", ")
            return .good(feed.title, "\(feed.attribution). Every \(Int(feed.intervalSeconds.rounded())) s\(keys)")
        }
    }

    private var directory: [Fact] {
        state.directory.map { list in
            let content =
                list.completed.map {
                    "\(Daemon.count(list.stops, "stop")) and \(Daemon.count(list.lines, "line")), complete at \(time($0))"
                } ?? "not downloaded yet"
            var update = list.nextUpdate.map { "; next update at \(time($0))" } ?? ""
            switch list.update.state {
            case .idle: break
            case .running:
                let percent = list.update.fraction.map { ", \(Int(($0 * 100).rounded()))%" } ?? ""
                update = "; updating, page \(list.update.page ?? 1)\(percent)"
            case .failed: update = "; the last update failed: \(list.update.error ?? "unknown error")\(update)"
            }
            return Fact(
                list.update.state == .failed ? .fault : .good, "stop directory of \(list.feed)", content + update)
        }
    }

    private var buttons: [Fact] {
        let fault = state.faults.buttons.map { Fact.fault("buttons", $0) }
        let buttons = state.buttons.map { button in
            let actions = [
                ("short", button.short), ("hold", button.hold), ("long-hold", button.longHold),
                ("double", button.double),
            ].filter { $0.1 != .none }.map { "\($0) \($1.rawValue)" }
            return Fact.good("button \(button.number), GPIO \(button.line)", actions.joined(separator: ", "))
        }
        return [fault].compactMap(\.self) + buttons
    }

    private var configuration: [Fact] {
        guard let place = state.faults.configuration else { return [] }
        return [.fault("configuration", "fault at \(place), which is not in use. Run boardd check.")]
    }

    private var settings: [Fact] { state.tables.sentences.map { .good($0, "") } }

    private func time(_ moment: Timestamp) -> String { zone.text(moment, at: state.time) }

    /// "12 s ago", "4 min ago", "3 h ago".
    private func ago(_ moment: Timestamp) -> String {
        let seconds = (state.time - moment) / .seconds(1)
        return switch seconds {
        case ..<1: "just now"
        case ..<120: "\(Int(seconds)) s ago"
        case ..<7_200: "\(Int(seconds / 60)) min ago"
        default: seconds < 1e9 ? "\(Int(seconds / 3_600)) h ago" : "long ago"
        }
    }
}
