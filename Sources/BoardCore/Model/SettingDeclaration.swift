/// One key of a feed's table in boardd.toml, as the feed declares it.
public struct SettingDeclaration: Hashable, Sendable {
    /// What the key may hold, and what it holds when a person wrote nothing.
    public enum Kind: Hashable, Sendable {
        /// Text of one line; a person may write any that is not empty.
        case text(default: String)
        /// Where an operator answers: https, or http when the host is this machine. Without a slash at its end.
        case url(default: String)
        /// Where a list is kept: an https address (http to this machine), a file's path from the root, or "", which is the
        /// default: nowhere.
        case source
        /// Where several are kept, each as ``source``; none by default.
        case sources
        /// A duration in a range, written "30s", "4m" or "1h".
        case duration(ClosedRange<Duration>, default: Duration)
    }

    /// The key as it is written, in lower case with underscores.
    public let name: String
    /// What it may hold, with its default.
    public let kind: Kind
    /// What it does, for the comment in boardd.toml: a few words.
    public let comment: String

    /// A declaration.
    public init(_ name: String, _ kind: Kind, comment: String) {
        self.name = name
        self.kind = kind
        self.comment = comment
    }
}
