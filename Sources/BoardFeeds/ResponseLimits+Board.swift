internal import BoardFormats

// Limits of what reaches the board of one response.
extension ResponseLimits {
    /// The most departures of one response that reach the board, earliest first. A stop with 3,000 departures a day has 250 in
    /// two hours.
    static let departures = 1_000
    /// The most alerts of one response that reach the board; the largest stations have 30.
    static let alerts = 200
    /// The most calling points of a trip that reach the board; the longest bus route in Britain has 170 stops.
    static let calls = 500
    /// The most lines of a stop; the largest interchanges have 150.
    static let lines = 1_000
    /// The most additional requests for one poll, such as a list of runs for each route of a stop. A busy stop has 20 routes.
    static let lookups = 32
}
