import BoardCore

/// A value with the time of its last change, and the version before.
struct Register<Content: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
    struct Version: Hashable, Codable, Sendable {
        let at: HybridTimestamp
        let content: Content

        /// The order in which versions replace each other. Equal times happen only if two boards have the same name.
        func isOlder(than other: Version) -> Bool {
            if at != other.at || content == other.content { return at < other.at }
            return StableJSON.bytes([content]).lexicographicallyPrecedes(StableJSON.bytes([other.content]))
        }
    }

    private(set) var last: Version
    /// What ``last`` replaced; nil: nothing, or removed because of its age.
    var before: Version?

    init(_ last: Version, before: Version? = nil) {
        self.last = last
        self.before = before
    }

    /// The two latest of all versions.
    func merged(with other: Register) -> Register {
        guard self != other else { return self }
        var register = self
        for version in [other.last, other.before].compactMap(\.self) { register.merge(version) }
        return register
    }

    private mutating func merge(_ other: Version) {
        if last.isOlder(than: other) {
            before = last
            last = other
        } else if last != other, before.isNilOr({ $0.isOlder(than: other) }) {
            before = other
        }
    }
}
