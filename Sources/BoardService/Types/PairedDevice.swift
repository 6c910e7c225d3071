public import BoardCore

/// A pairing that waits for its code.
public struct PairingStarted: Hashable, Sendable, Codable {
    /// For the requests about this pairing.
    public var id: String
    /// When the code stops being accepted.
    public var expiresAt: Timestamp
    /// The six digits, for a caller on this machine; nil: they are only on the display.
    public var code: String?

    public init(id: String, expiresAt: Timestamp, code: String? = nil) {
        self.id = id
        self.expiresAt = expiresAt
        self.code = code
    }
}

/// A device that may change the board through the page.
public struct PairedDevice: Hashable, Sendable, Codable {
    /// As its user wrote it; unique.
    public var name: String
    /// A day in UTC: "2026-11-24".
    public var pairedAt: String
    /// A day in UTC.
    public var lastUsedAt: String
    /// Whether it may set up the board.
    public var isOwner: Bool

    public init(name: String, pairedAt: String, lastUsedAt: String, isOwner: Bool = false) {
        self.isOwner = isOwner
        self.name = name
        self.pairedAt = pairedAt
        self.lastUsedAt = lastUsedAt
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        pairedAt = try values.decode(String.self, forKey: .pairedAt)
        lastUsedAt = try values.decode(String.self, forKey: .lastUsedAt)
        // A board of a version without owners still runs.
        isOwner = try values.decodeIfPresent(Bool.self, forKey: .isOwner) ?? false
    }
}

/// The body of `PATCH /v1/devices/{name}`.
public struct DeviceChange: Hashable, Sendable, Codable {
    /// Whether the device may set up the board.
    public var isOwner: Bool

    public init(isOwner: Bool) { self.isOwner = isOwner }

    public init(from decoder: any Decoder) throws {
        isOwner = try decoder.strictContainer(["isOwner"]).decode(Bool.self, forKey: "isOwner")
    }
}

/// The body of `POST /v1/pairings/{id}`.
public struct PairingCode: Hashable, Sendable, Codable {
    /// The six digits on the display; blanks are ignored.
    public var code: String
    /// The name of the device, of 1 to 40 characters.
    public var name: String

    public init(code: String, name: String) {
        self.code = code
        self.name = name
    }
}

/// The response to the right code.
public struct PairingToken: Hashable, Sendable, Codable {
    /// For `Authorization: Bearer`. Sent once and not stored.
    public var token: String
    /// The value of the cookie for a new token, which is not in the body; nil: over the control socket.
    public var cookie: String?

    private enum CodingKeys: CodingKey { case token }

    public init(token: String, cookie: String? = nil) {
        self.token = token
        self.cookie = cookie
    }
}
