public import BoardCore

/// A stop of the directory, as searches return it.
public struct StopEntry: Hashable, Sendable, Codable {
    /// A line that calls at a stop.
    public struct CallingLine: Hashable, Sendable, Codable {
        /// The operator's identifier of the line: "northern".
        public var id: String
        /// The name for passengers.
        public var name: String
        /// The operator's name of the mode: "bus".
        public var mode: String?

        public init(id: String, name: String, mode: String? = nil) {
            self.id = id
            self.name = name
            self.mode = mode
        }
    }

    /// The stop, `feed:code`: the identifier in requests for departures and in favourites.
    public var stop: String
    public var kind: ListedStop.Kind
    /// The operator's name of the stop.
    public var name: String
    /// The stop letter on the pole.
    public var letter: String?
    /// Where its vehicles go next.
    public var towards: String?
    /// The operator's names of the modes that call: "bus", "tube".
    public var modes: [String]
    /// The lines that call.
    public var lines: [CallingLine]
    /// Degrees north (WGS 84).
    public var latitude: Double?
    /// Degrees east (WGS 84).
    public var longitude: Double?
    /// The area, station or interchange that contains the stop.
    public var parent: String?
    /// The short number on the pole.
    public var shortCode: String?
    /// The distance from the coordinates of the search.
    public var distanceMetres: Double?
    public var isFavourite: Bool

    public init(_ stop: ListedStop, distance: Metres? = nil, isFavourite: Bool) {
        self.stop = stop.id.description
        kind = stop.kind
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

/// One stop with its parts: the response to `GET /v1/stops/{stop}`.
public struct StopDetail: Hashable, Sendable, Codable {
    public var stop: StopEntry
    /// The poles of an area, the platforms of a station, the members of an interchange; empty for a pole.
    public var parts: [StopEntry]

    public init(_ stop: StopEntry, parts: [StopEntry] = []) {
        self.stop = stop
        self.parts = parts
    }
}
