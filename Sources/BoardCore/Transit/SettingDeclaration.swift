/// One setting of a feed's table in boardd.toml.
public struct SettingDeclaration: Hashable, Sendable {
    /// The type of the value and its default.
    public enum Kind: Hashable, Sendable {
        /// One line of text that is not empty.
        case text(default: String)
        /// The address of an API: https, or http when the host is this machine. Without a trailing slash.
        case url(default: String)
        /// The location of a list: an https address (http to this machine), an absolute path, or "" (the default) for
        /// none.
        case source
        /// The location of a file: an address, whose query has no key in it, or an absolute path; "" (the default): not set.
        case location
        /// Several locations, each an https address (http to this machine) as of ``location``, or a path; none by default.
        case sources
        /// A duration in a range, written "30s", "4m" or "1h".
        case duration(ClosedRange<Duration>, default: Duration)
    }

    /// The key, in lower case with underscores.
    public let name: String
    public let kind: Kind
    /// A few words for the comment in boardd.toml.
    public let comment: String

    public init(_ name: String, _ kind: Kind, comment: String) {
        self.name = name
        self.kind = kind
        self.comment = comment
    }
}
