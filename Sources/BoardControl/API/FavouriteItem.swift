public import BoardCore

/// A favourite with the keys and values of favourites.toml.
public struct FavouriteItem: Hashable, Sendable, Codable {
    /// The order of a page's rows.
    public enum Sort: String, CaseIterable, Sendable, Codable {
        case time, line, destination

        public init(_ order: SortOrder) {
            self =
                switch order {
                case .time: .time
                case .line: .line
                case .destination: .destination
                }
        }
    }

    /// What happens to a departure that can no longer be caught.
    public enum Uncatchable: String, CaseIterable, Sendable, Codable {
        case hide, mark

        public init(_ uncatchable: Favourite.Uncatchable) {
            self =
                switch uncatchable {
                case .hide: .hide
                case .mark: .mark
                }
        }
    }

    /// The stop, `feed:code`.
    public var stop: String
    /// The label on the display, where the user set one.
    public var label: String?
    /// The lines on the overview; empty: all.
    public var lines: [String]
    /// The order of the rows until a press changes it.
    public var sort: Sort
    /// The walking time, as "30s" or "4m"; nil: not set.
    public var walk: String?
    /// What happens to departures that can no longer be caught.
    public var uncatchable: Uncatchable
    /// Only departures that call at this stop, as the operator's code; nil: all.
    public var towards: String?
    /// Only departures from these platforms; empty: all.
    public var platforms: [String]
    /// Only departures in these directions, as the operator names them; empty: all.
    public var directions: [String]
    /// The hours on the board, as "weekdays 06:30-09:30"; empty: always.
    public var when: [String]
    /// The operator's name of the stop, where it is cached.
    public var name: String?

    /// - Parameter name: the operator's name of the stop; nil: the name in the file.
    public init(_ favourite: Favourite, name: String? = nil) {
        stop = favourite.stop.description
        label = favourite.label
        lines = favourite.lines
        sort = Sort(favourite.sort)
        walk = favourite.walk?.written
        uncatchable = Uncatchable(favourite.uncatchable)
        towards = favourite.towards
        platforms = favourite.platforms
        directions = favourite.directions
        when = favourite.when.map(\.written)
        self.name = name ?? favourite.name
    }
}

extension Favourite {
    /// A favourite from its JSON; nil where the stop, the walking time or a weekly window is invalid.
    public init?(_ item: FavouriteItem) {
        guard let stop = StopID(item.stop) else { return nil }
        var walk: Duration?
        if let text = item.walk {
            guard let duration = Duration(written: text) else { return nil }
            walk = duration
        }
        let when = item.when.compactMap { try? WeeklyWindow(written: $0) }
        guard when.count == item.when.count else { return nil }
        self.init(
            stop: stop, label: item.label, lines: item.lines, sort: SortOrder(item.sort), walk: walk,
            uncatchable: Uncatchable(item.uncatchable), towards: item.towards, platforms: item.platforms,
            directions: item.directions, when: when)
    }
}

extension SortOrder {
    init(_ sort: FavouriteItem.Sort) {
        self =
            switch sort {
            case .time: .time
            case .line: .line
            case .destination: .destination
            }
    }
}

extension Favourite.Uncatchable {
    init(_ uncatchable: FavouriteItem.Uncatchable) {
        self =
            switch uncatchable {
            case .hide: .hide
            case .mark: .mark
            }
    }
}
