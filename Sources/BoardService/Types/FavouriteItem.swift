public import BoardCore
public import BoardStore

/// A favourite with the keys and notation of favourites.toml.
public struct FavouriteItem: Hashable, Sendable, Codable {
    public var favourite: Favourite
    /// The operator's name for the stop, if it is cached.
    public var name: String?
    /// The letter on the pole, if the stop directory has it.
    public var letter: String?
    /// Where the stop is, if known: degrees north and east (WGS 84).
    public var location: Coordinates?
    /// The position among the tables of favourites.toml, from 1, for a change of the order; nil: unknown.
    public var position: Int?

    /// - Parameters:
    ///   - name: the operator's name for the stop; nil: the name in the file.
    ///   - location: the stop's place in the directory; nil: the place in the file.
    public init(
        _ favourite: Favourite, name: String? = nil, letter: String? = nil, location: Coordinates? = nil,
        position: Int? = nil
    ) {
        self.favourite = favourite
        self.position = position
        self.letter = letter
        self.name = name ?? favourite.name
        self.location = location ?? favourite.location
        self.favourite.name = nil
        self.favourite.location = nil
        self.favourite.distance = nil
    }

    /// Throws for a key with an invalid value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        favourite = Favourite(stop: try container.decode(StopID.self, forKey: "stop"))
        name = try container.decodeIfPresent(String.self, forKey: "name")
        letter = try container.decodeIfPresent(String.self, forKey: "letter")
        location = Coordinates(
            latitude: try container.decodeIfPresent(Double.self, forKey: "latitude"),
            longitude: try container.decodeIfPresent(Double.self, forKey: "longitude"))
        let change = try FavouriteChange(from: container)
        position = change.position
        try change.apply(to: &favourite)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(favourite.stop, forKey: "stop")
        try container.encodeIfPresent(position, forKey: "position")
        try container.encodeIfPresent(name, forKey: "name")
        try container.encodeIfPresent(letter, forKey: "letter")
        try container.encodeIfPresent(location?.latitude, forKey: "latitude")
        try container.encodeIfPresent(location?.longitude, forKey: "longitude")
        for field in FavouriteField.settable { try container.encode(field.texts(favourite), of: field) }
    }
}

/// The body of `POST /v1/favourites`: the stop, and the keys of a ``FavouriteChange``.
public struct NewFavourite: Hashable, Sendable, Codable {
    /// The maximum length of a stop identifier; no operator's is more than a quarter as long.
    private static let maximumStopLength = 200

    public var favourite: Favourite
    /// The position in the list, from 1; nil: the last.
    public var position: Int?

    public init(_ favourite: Favourite, at position: Int? = nil) {
        self.favourite = favourite
        self.position = position
    }

    /// Throws for unknown keys and invalid values.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(["stop"] + FavouriteChange.keys)
        let change = try FavouriteChange(from: container)
        let stop = StopID(try container.decode(String.self, forKey: "stop"))
        guard let stop, stop.description.count <= Self.maximumStopLength else {
            throw container.invalid("stop", "must be feed:code, such as tfl:490008660N")
        }
        favourite = Favourite(stop: stop)
        position = change.position
        try change.apply(to: &favourite)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(favourite.stop, forKey: "stop")
        try container.encodeIfPresent(position, forKey: "position")
        for field in FavouriteField.settable {
            let texts = field.textsUnlessDefault(favourite)
            if !texts.isEmpty { try container.encode(texts, of: field) }
        }
    }
}

/// The body of `PATCH /v1/favourites/{stop}`; an absent key leaves the value unchanged. An empty text or list removes
/// the value.
public struct FavouriteChange: Hashable, Sendable, Codable {
    /// The keys that may be changed.
    package static let keys = ["position"] + FavouriteField.settable.map(\.name)

    /// The new position among the favourites, from 1; a position past the end means the last.
    public var position: Int?
    /// The new values as texts, by key; an empty list removes the value.
    public private(set) var values: [String: [String]]

    public init(position: Int? = nil, _ values: [String: [String]] = [:]) {
        self.position = position
        self.values = values
    }

    /// Throws for unknown keys and invalid values.
    public init(from decoder: any Decoder) throws {
        try self.init(from: try decoder.strictContainer(Self.keys))
        var scratch = Favourite(stop: StopID(feed: FeedName(""), code: ""))
        try apply(to: &scratch)
    }

    /// Reads the keys; ignores others.
    fileprivate init(from container: KeyedDecodingContainer<AnyKey>) throws {
        position = try container.integer("position", atLeast: 1)
        values = [:]
        for field in FavouriteField.settable {
            values[field.name] =
                field.form == .text
                ? try container.decodeIfPresent(String.self, forKey: AnyKey(field.name)).map { $0.isEmpty ? [] : [$0] }
                : try container.decodeIfPresent([String].self, forKey: AnyKey(field.name))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encodeIfPresent(position, forKey: "position")
        for field in FavouriteField.settable {
            if let texts = values[field.name] { try container.encode(texts, of: field, empty: "") }
        }
    }

    /// Applies all but the position.
    ///
    /// - Throws: ``ServiceError`` for an invalid value.
    public func apply(to favourite: inout Favourite) throws(ServiceError) {
        for field in FavouriteField.settable {
            guard let texts = values[field.name] else { continue }
            try ServiceError.attempt { try field.set(texts, in: &favourite) }
        }
    }
}

extension KeyedEncodingContainer<AnyKey> {
    /// Encodes a value in the form of its field.
    ///
    /// - Parameter empty: the text of a value that is removed; nil: the key is left out.
    fileprivate mutating func encode(_ texts: [String], of field: FavouriteField, empty: String? = nil) throws {
        if field.form == .text {
            try encodeIfPresent(texts.first ?? empty, forKey: AnyKey(field.name))
        } else {
            try encode(texts, forKey: AnyKey(field.name))
        }
    }
}

/// The last change of a favourite by another board of the fleet, in the last seven days.
public struct SharedFavouriteChange: Hashable, Sendable, Codable {
    public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        case added, removed
        /// Other values, or another place in the list.
        case changed
    }

    public var stop: StopID
    /// The label, or the operator's name for the stop, if one is known.
    public var name: String?
    /// The board that made the change.
    public var board: FleetName
    /// When it was made.
    public var at: Timestamp
    public var kind: Kind
    /// The changed keys as in favourites.toml, with `place` for a move.
    public var fields: [String]

    public init(stop: StopID, name: String? = nil, board: FleetName, at: Timestamp, kind: Kind, fields: [String]) {
        self.stop = stop
        self.name = name
        self.board = board
        self.at = at
        self.kind = kind
        self.fields = fields
    }
}
