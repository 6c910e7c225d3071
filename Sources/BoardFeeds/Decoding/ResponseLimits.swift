/// How much is made of one response. The sizes of requests (``HTTPRequest/limit``) count bytes; these count what the bytes become: a
/// response of 4 kB can unpack to a million empty objects, each of which would be a row of half a kilobyte.
///
/// Every number is several times the largest of its kind that was recorded, and small enough that the worst response of any
/// feed stays far below the `MemoryMax=` of systemd/boardd.service (MemoryLimitTests).
enum ResponseLimits {
    /// The most rows of one list; what comes after them counts as bad rows. The longest lists that are known have 700 predictions
    /// (LA Metro), 290 cancelled trips and 269 visits (SIRI, a whole day of a busy stop).
    static let rows = 5_000
    /// The most parts of rows in a response of XML or SIRI (calling points, lines, texts): 269 visits with 40 calls each have
    /// 10,760.
    static let parts = 20_000
    /// The most values of one JSON document, names of members among them. Operators need 12 bytes a value at least, so
    /// that this is 2.4 MB; the largest that was recorded, 315 kB, has 18,000.
    static let values = 200_000
    /// The most departures of one answer that reach the board: those that are due first. A stop with 3,000 departures a day
    /// has 250 in two hours.
    static let departures = 1_000
    /// The most alerts of one answer that reach the board; the largest stations have 30.
    static let alerts = 200
    /// The most calling points of one opened departure that reach the board; the longest bus route in Britain has 170 stops.
    static let calls = 500
    /// The most lines of a stop; the largest interchanges have 150.
    static let lines = 1_000
    /// The most requests that one question may cost beside its own, such as a list of runs for each route of a stop. A busy
    /// stop has 20 routes.
    static let lookups = 32
}
