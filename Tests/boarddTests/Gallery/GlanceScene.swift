import BoardCore

@testable import BoardDisplays
@testable import BoardFeeds

/// The panels of the glance test.
enum GlancePanel: String, CaseIterable, Sendable {
    case large = "20x4"
    case oled = "oled"
    case small = "16x2"
    /// 16x2 of 14-segment modules.
    case led = "led"

    static let sheets: [GlancePanel] = [.large, .oled, .small]

    var size: DisplaySize {
        switch self {
        case .large: DisplaySize(columns: 20, rows: 4)
        case .oled: DisplaySize(columns: 20, rows: 8)
        case .small, .led: DisplaySize(columns: 16, rows: 2)
        }
    }

    /// Every page of the gallery.
    func gallery(in sample: GallerySample) -> [GalleryState] {
        self == .oled ? GalleryState.all(in: sample, onOLEDOf: 64) : GalleryState.all(in: sample, on: size)
    }

    func picture(of frame: Frame, title: String) -> SVG {
        switch self {
        case .large, .small: SVG(frame, on: Panel(size: size, rom: .a00), title: title)
        case .oled: SVG(frame, on: .ssd1306, height: 64, title: title)
        case .led: SVG(frame, on: .segments, 8, title: title)
        }
    }

    /// The rows of a frame; the two rows of a departure in twice the size as one.
    func rows(of frame: Frame) -> [String] {
        let lines = frame.lines
        guard self == .oled, !frame.doubled.isEmpty else { return lines }
        return stride(from: 0, to: lines.count, by: 2).map { lines[$0] + " " + lines[$0 + 1] + " " }
    }
}

/// A board's stops with their departures, and what happens before the first picture.
struct GlanceScene {
    /// 2026-11-28T12:04:05Z, a Saturday: London's clocks show UTC.
    static let noon = Timestamp(seconds: 1_795_867_445) - .seconds(245)
    private static let boot = Instant(microseconds: 50_000_000)
    /// A whole number of turns of every row, text of the first row, and page.
    private static let settling = 36

    let panel: GlancePanel
    /// When the first picture is made, if nothing happens.
    var start = Self.noon + .seconds(245)
    private(set) var stops: [(favourite: Favourite, response: FeedResponse)] = []
    var then: (inout GalleryState.Simulation) -> Void = { _ in }

    init(panel: GlancePanel) { self.panel = panel }

    /// The departures on a screen.
    var rows: Int { panel.size.rows > 2 ? 3 : 2 }

    /// A stop of buses and the tube.
    mutating func stop(
        _ label: String?, name: String? = nil, letter: String? = nil, walk: Int? = nil, next: Int? = nil,
        _ trips: [Trip]
    ) {
        add(
            StopID(feed: TfLFeed.name, code: "stop\(stops.count)"), label, name, letter, walk, .time, trips,
            next: next.map { .laterToday(start + .seconds($0 * 60)) })
    }

    /// A station of trains.
    mutating func station(_ name: String, walk: Int? = nil, sort: SortOrder = .time, _ trips: [Trip]) {
        add(StopID(feed: NationalRailFeed.name, code: "PAD"), nil, name, nil, walk, sort, trips)
    }

    private mutating func add(
        _ id: StopID, _ label: String?, _ name: String?, _ letter: String?, _ walk: Int?, _ sort: SortOrder,
        _ trips: [Trip], next: NextDeparture? = nil
    ) {
        let favourite = Favourite(stop: id, label: label, sort: sort, walk: walk.map { .seconds($0 * 60) })
        let departures = trips.map { $0.departure(from: id, at: start) }
        stops.append(
            (
                favourite,
                FeedResponse(stop: Stop(id: id, name: name, letter: letter), departures: departures, next: next)
            ))
    }

    var state: GalleryState {
        let feeds = [
            TfLFeed.profile(interval: .seconds(30), hasKey: false), NationalRailFeed.profile(interval: .seconds(60)),
        ]
        let setup = Board.Setup(
            favourites: stops.map(\.favourite), profiles: Dictionary(uniqueKeysWithValues: feeds.map { ($0.name, $0) }),
            size: panel.size, hasDoubleSize: panel == .oled, zone: .utc)
        let wall = start - .seconds(Self.settling)
        let board = Board(setup, reading: .init(wall: wall, isSynchronised: true), seed: 1, at: Self.boot)
        var simulation = GalleryState.Simulation(sample: .london, board: board, now: Self.boot)
        simulation.after(.seconds(3))
        for stop in stops { simulation.after(.zero, .polled(stop.response)) }
        simulation.pass(Self.settling - 3)
        then(&simulation)
        return GalleryState(name: panel.rawValue, board: simulation.board, now: simulation.now)
    }
}

extension GalleryState {
    /// The state some seconds later.
    func later(_ seconds: Int) -> GalleryState {
        var simulation = Simulation(sample: .london, board: board, now: now)
        simulation.pass(seconds)
        return GalleryState(name: name, board: simulation.board, now: simulation.now)
    }

    var frame: Frame { board.render(at: now).frame }
}

extension GalleryState.Simulation {
    /// Lets seconds pass, in which the board turns its screens.
    mutating func pass(_ seconds: Int) {
        for _ in 0..<seconds { after(.seconds(1)) }
    }
}
