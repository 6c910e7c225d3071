public import BoardCore

/// A favourite as favourites.toml has it, key by key and in the same words.
public struct FavouriteItem: Hashable, Sendable, Codable {
    /// The order of a page's rows.
    public enum Sort: String, CaseIterable, Sendable, Codable {
        case time, line, destination

        /// The order of the core.
        public init(_ order: SortOrder) {
            self =
                switch order {
                case .time: .time
                case .line: .line
                case .destination: .destination
                }
        }
    }

    /// What becomes of a departure that cannot be caught any more.
    public enum Uncatchable: String, CaseIterable, Sendable, Codable {
        case hide, mark

        /// That of the core.
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
    /// What the glass calls it, where a person chose that.
    public var label: String?
    /// The lines of interest on the overview; empty: all.
    public var lines: [String]
    /// The order of its rows until a press changes it.
    public var sort: Sort
    /// How long it takes to get there, as "30s" or "4m"; nil: nothing is said of it.
    public var walk: String?
    /// What becomes of departures that the walk is too long for.
    public var uncatchable: Uncatchable
    /// Only departures that call there, by the operator's code of the stop; nil: all.
    public var towards: String?
    /// Only departures from these platforms; empty: from all.
    public var platforms: [String]
    /// Only departures in these directions, in the operator's words; empty: in all.
    public var directions: [String]
    /// When it is on the board, as "weekdays 06:30-09:30"; empty: always.
    public var when: [String]
    /// The operator's name of the stop, where it is known.
    public var name: String?

    /// A favourite.
    ///
    /// - Parameter name: what the operator calls it; nil: what was written down.
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
    /// A favourite as the control socket tells it; nil where the stop, the walk or a part of the week is none.
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
    /// The order of the core.
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
    /// That of the core.
    init(_ uncatchable: FavouriteItem.Uncatchable) {
        self =
            switch uncatchable {
            case .hide: .hide
            case .mark: .mark
            }
    }
}
