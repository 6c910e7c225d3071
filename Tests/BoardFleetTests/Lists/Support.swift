import BoardCore
import BoardStore
import Testing

@testable internal import BoardFleet

extension RandomSource {
    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
}

func stop(_ code: Int) -> StopID { StopID(feed: FeedName("tfl"), code: "\(code)") }

func name(_ text: String) throws -> FleetName { try #require(FleetName(text)) }

/// A time in seconds after the start of the board, and after 2026-11-26T00:00:00Z.
func at(_ seconds: Double, isCertain: Bool = true, clockAhead: Duration = .zero) -> ListTime {
    let elapsed = Int64(seconds * 1_000_000)
    return ListTime(
        instant: Instant(microseconds: elapsed),
        timestamp: Timestamp(microseconds: 1_795_651_200_000_000 + elapsed) + clockAhead, isCertain: isCertain)
}

/// A board: its state, and a favourites.toml that is edited as the editor does.
struct TestBoard {
    var state: SharedListState
    var entries: [FavouriteEntry]
    var stored: StoredSharedList?
    var sentences: [String] = []
    /// Why the file cannot be written; nil: it can.
    var writeFailure: String?
    var isCertain = true
    var clockAhead = Duration.zero
    private(set) var writes = 0

    init(
        _ board: String, _ favourites: [Favourite] = [], stored: StoredSharedList? = nil,
        problem: @escaping @Sendable (Favourite) -> String? = { _ in nil }, delay: Duration = .seconds(1)
    ) throws {
        entries = favourites.map(FavouriteEntry.stop)
        self.stored = stored
        state = SharedListState(
            name: try name("home"), board: try name(board), stored: stored, problem: problem,
            random: { min($0, delay) })
        state.loaded(entries, at: at(0))
    }

    var favourites: [Favourite] { entries.named }
    var stops: [String] { favourites.map(\.stop.code) }

    func time(_ seconds: Double) -> ListTime { at(seconds, isCertain: isCertain, clockAhead: clockAhead) }

    /// Executes all actions that are due; returns the last message to be published.
    @discardableResult
    mutating func run(_ seconds: Double) -> [UInt8]? {
        var payload: [UInt8]?
        for _ in 0..<10 {
            let actions = state.actions(at: time(seconds))
            if actions.isEmpty { return payload }
            for action in actions {
                switch action {
                case .publish(let bytes): payload = bytes
                case .write(let favourites, let expected): write(favourites, expecting: expected, seconds)
                case .store(let value): stored = value
                case .report(let sentence): sentences.append(sentence)
                }
            }
        }
        Issue.record("the actions do not end")
        return payload
    }

    private mutating func write(_ favourites: [Favourite], expecting expected: [Favourite], _ seconds: Double) {
        writes += 1
        if let writeFailure { return state.writeFailed(writeFailure, at: time(seconds)) }
        if expected == entries.shared {
            entries =
                favourites.map(FavouriteEntry.stop)
                + entries.filter { entry in
                    if case .stop(let favourite) = entry { !favourite.isShared } else { true }
                }
        }
        state.loaded(entries, at: time(seconds))
    }

    /// Changes the file by hand.
    @discardableResult
    mutating func edit(_ seconds: Double, _ change: (inout [Favourite]) -> Void) -> [UInt8]? {
        var favourites = self.favourites
        change(&favourites)
        entries = favourites.map(FavouriteEntry.stop)
        state.loaded(entries, at: time(seconds))
        return run(seconds)
    }

    /// Connects to a broker with this retained message; returns what is published within the next eight seconds.
    @discardableResult
    mutating func connect(_ seconds: Double, retained: [UInt8]? = nil) -> [UInt8]? {
        state.connected(at: time(seconds))
        if let retained { state.received(retained, isRetained: true, at: time(seconds)) }
        return run(seconds) ?? run(seconds + 5) ?? run(seconds + 8)
    }

    /// Receives a message; returns what is published at once.
    @discardableResult
    mutating func receive(_ payload: [UInt8]?, _ seconds: Double) -> [UInt8]? {
        if let payload { state.received(payload, isRetained: false, at: time(seconds)) }
        return run(seconds)
    }
}

extension Favourite {
    init(_ code: Int, _ label: String? = nil, walk: Duration? = nil, isShared: Bool = true) {
        self.init(stop: BoardFleetTests.stop(code), label: label, walk: walk, isShared: isShared)
    }
}

extension SharedList {
    /// The last versions: what all boards have in the end.
    var values: [StopID: Register<Values?>.Version] { entries.mapValues(\.last) }
}

/// `#require` for calls that change a board.
func required<Value>(_ value: Value?, location: SourceLocation = #_sourceLocation) throws -> Value {
    try #require(value, sourceLocation: location)
}
