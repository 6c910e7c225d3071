/// Limits of the content of one response. ``HTTPRequest/limit`` counts bytes, these count decoded values: a response of 4 kB can
/// unpack to a million empty objects, each a row of half a kilobyte.
///
/// Every limit is several times the largest recorded value, and small enough that the worst response of any feed stays
/// far below the `MemoryMax=` of systemd/boardd.service (MemoryLimitTests).
enum ResponseLimits {
    /// The most rows of one list; further ones count as bad rows. The longest recorded lists have 700 predictions (LA Metro),
    /// 290 cancelled trips and 269 visits (SIRI, a whole day at a busy stop).
    static let rows = 5_000
    /// The most parts of rows in a response of XML or SIRI (calling points, lines, texts): 269 visits with 40 calls each have
    /// 10,760.
    static let parts = 20_000
    /// The most values of one JSON document, including names of members. Operators use at least 12 bytes a value, so that this is
    /// 2.4 MB; the largest recorded document, 315 kB, has 18,000.
    static let values = 200_000
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
