import BoardCore
import BoardHardware
import PanelModel
import Testing

/// A board for one stop of any feed on a modelled 20x4 panel.
struct FeedScreen {
    private let feed: any DepartureFeed
    private let stop: StopID
    private let expander: SimulatedExpander
    private var display: HD44780Display<SimulatedExpander>
    private var board: Board
    private var now = Instant(microseconds: 50_000_000)

    init(_ feed: any DepartureFeed, stop: StopID, at moment: Timestamp, zone: Zone = .utc) {
        self.feed = feed
        self.stop = stop
        let panel = Panel(size: Panel.Size(columns: 20, rows: 4))
        expander = SimulatedExpander(panel: panel)
        display = HD44780Display(panel: panel, resync: nil, bus: expander)
        var options = BoardOptions()
        options.rotation = .off
        options.refreshBar = .off
        let setup = Board.Setup(
            options: options, favourites: [Favourite(stop: stop)],
            profiles: [stop.feed: feed.profile], size: panel.size, zone: zone)
        board = Board(setup, reading: .init(wall: moment - .seconds(3), isSynchronised: true), seed: 1, at: now)
        handle(.woke)
        wait(.seconds(3))
    }

    /// The rows on the screen.
    mutating func rows() -> [String] {
        _ = display.show(board.render(at: now).frame, at: now)
        return expander.violations.isEmpty ? expander.screen : ["\(expander.violations)"]
    }

    /// The screen as one text with its edges.
    mutating func text() -> String { rows().map { "|\($0)|" }.joined(separator: "\n") }

    var report: Board.Report { board.report(at: now) }

    /// Polls the feed once and reports the result to the board.
    @discardableResult
    mutating func poll() async -> Result<FeedResponse, FeedError> {
        do throws(FeedError) {
            let response = try await feed.departures(FeedRequest(stop: stop))
            handle(.polled(response))
            return .success(response)
        } catch {
            handle(.failed(stop, error))
            return .failure(error)
        }
    }

    /// Opens the detail page, and fetches its details at once.
    mutating func open() async throws {
        try await perform(press(for: .milliseconds(700)))
    }

    /// Presses button 0 shortly: the next screen.
    mutating func step() async throws {
        try await perform(press(for: .milliseconds(100)))
    }

    /// Advances the clock.
    mutating func wait(_ duration: Duration) {
        now = now + duration
        handle(.woke)
    }

    private mutating func perform(_ commands: [Board.Command]) async throws {
        for command in commands {
            guard case .fetchDetails(let departure) = command else { continue }
            handle(.detailsFetched(departure, try await feed.tripDetails(of: departure)))
        }
        wait(.seconds(3))
    }

    private mutating func press(for duration: Duration) -> [Board.Command] {
        var commands = handle(.button(ButtonChange(button: ButtonID(0), isDown: true, at: now)))
        now = now + duration
        commands += handle(.button(ButtonChange(button: ButtonID(0), isDown: false, at: now)))
        return commands
    }

    @discardableResult
    private mutating func handle(_ event: Board.Event) -> [Board.Command] { board.handle(event, at: now) }
}
