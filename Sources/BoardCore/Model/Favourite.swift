/// A stop that the board shows, with what a person wants of it.
public struct Favourite: Hashable, Sendable {
    /// The stop.
    public let stop: StopID
    /// What the glass calls it; nil: the operator's name.
    public let label: String?
    /// The lines of interest on the overview; empty: all.
    public let lines: [String]
    /// The order of its rows until a press changes it.
    public let sort: SortOrder
    /// How far it is, of a stop that is there because it is near.
    public let distance: Metres?

    /// A favourite.
    public init(
        stop: StopID, label: String? = nil, lines: [String] = [], sort: SortOrder = .time, distance: Metres? = nil
    ) {
        self.stop = stop
        self.label = label
        self.lines = lines
        self.sort = sort
        self.distance = distance
    }

    /// Whether `line` is one of the lines of interest.
    public func interests(_ line: Line) -> Bool {
        lines.isEmpty || lines.contains(where: line.isCalled)
    }
}

/// The order of a page's rows.
public enum SortOrder: String, CaseIterable, Sendable, Codable {
    case time, line, destination

    /// The order that the next press of "sort" chooses.
    public var next: SortOrder {
        switch self {
        case .time: .line
        case .line: .destination
        case .destination: .time
        }
    }
}
