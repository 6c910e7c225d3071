/// Limits of the content of one response. ``HTTPRequest/limit`` counts bytes, these count decoded values: a response of 4 kB can
/// unpack to a million empty objects, each a row of half a kilobyte.
///
/// Every limit is several times the largest recorded value, and small enough that the worst response of any feed stays
/// far below the `MemoryMax=` of systemd/boardd.service (MemoryLimitTests).
package enum ResponseLimits {
    /// The most rows of one list; further ones count as bad rows. The longest recorded lists have 700 predictions, 290
    /// cancelled trips and 269 visits (a whole day at a busy stop).
    package static let rows = 5_000
    /// The most parts of rows of one response (calling points, lines, texts): 269 visits with 40 calls each have
    /// 10,760.
    package static let parts = 20_000
    /// The most values of one document in JSON or XML, including names of members. Operators use at least 12 bytes a value, so that this is
    /// 2.4 MB; the largest recorded document, 315 kB, has 18,000.
    package static let values = 200_000
    /// The same for a page of an operator's list of stops, of 1,000 entries: 536 recorded ones have 230,000 values.
    package static let listValues = 800_000
}
