/// The version, for `--version` and the User-Agent.
enum Version {
    static let number = "0.1.0"
    /// Where new ones are published.
    static let releases = "https://github.com/boardd/boardd/releases"
    /// Identifies the program to operators; some reject requests without a contact.
    static let userAgent = "boardd/\(number) (departure board; https://github.com/boardd/boardd)"
}
