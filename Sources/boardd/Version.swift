/// The version of the program, as `--version` and the User-Agent say it.
enum Version {
    static let number = "0.1.0"
    /// What operators read of us; some refuse requests that do not say who asks.
    static let userAgent = "boardd/\(number) (departure board; https://github.com/boardd/boardd)"
}
