public import BoardCore

/// A stop of the directory, as searches list it.
public struct StopEntry: Hashable, Sendable, Codable {
    /// What kind of place a stop is.
    public enum Kind: String, CaseIterable, Sendable, Codable {
        /// One pole or berth, where one side of a road is served.
        case pole
        /// A station.
        case station
        /// Poles that share a name: both sides of a road.
        case area
        /// Stations and areas between which people change.
        case interchange

        /// The kind of the core.
        public init(_ kind: ListedStop.Kind) {
            self =
                switch kind {
                case .pole: .pole
                case .station: .station
                case .area: .area
                case .interchange: .interchange
                }
        }
    }

    /// A line that calls.
    public struct CallingLine: Hashable, Sendable, Codable {
        /// The operator's identifier of the line: "northern".
        public var id: String
        /// What riders call it.
        public var name: String
        /// The operator's word for what runs on it: "bus".
        public var mode: String?

        /// A line.
        public init(id: String, name: String, mode: String? = nil) {
            self.id = id
            self.name = name
            self.mode = mode
        }
    }

    /// The stop, `feed:code`: what departures and favourites are asked by.
    public var stop: String
    /// What it is.
    public var kind: Kind
    /// The operator's name of it.
    public var name: String
    /// The letter on the pole.
    public var letter: String?
    /// Where its vehicles go next.
    public var towards: String?
    /// The operator's words for what calls: "bus", "tube".
    public var modes: [String]
    /// The lines that call.
    public var lines: [CallingLine]
    /// Degrees north.
    public var latitude: Double?
    /// Degrees east.
    public var longitude: Double?
    /// The area, station or interchange of which it is a part.
    public var parent: String?
    /// The short number on the pole.
    public var shortCode: String?
    /// How far it is from the place that was asked about.
    public var distanceMetres: Double?
    /// Whether it is a favourite.
    public var isFavourite: Bool

    /// A stop as the directory has it.
    public init(_ stop: ListedStop, distance: Metres? = nil, isFavourite: Bool) {
        self.stop = stop.id.description
        kind = Kind(stop.kind)
        name = stop.name
        letter = stop.letter
        towards = stop.towards
        modes = stop.modes
        lines = stop.lines.map { CallingLine(id: $0.line.id, name: $0.line.name, mode: $0.mode) }
        latitude = stop.coordinates?.latitude
        longitude = stop.coordinates?.longitude
        parent = stop.parent?.description
        shortCode = stop.shortCode
        distanceMetres = distance?.count
        self.isFavourite = isFavourite
    }
}

/// One stop with its parts: the answer to `GET /v1/stops/{stop}`.
public struct StopDetail: Hashable, Sendable, Codable {
    /// The stop.
    public var stop: StopEntry
    /// The poles of an area, the platforms of a station, the members of an interchange; none for a pole.
    public var parts: [StopEntry]

    /// A stop with its parts.
    public init(_ stop: StopEntry, parts: [StopEntry] = []) {
        self.stop = stop
        self.parts = parts
    }
}
