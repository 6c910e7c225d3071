/// The most that is kept in memory of an archive at once: several times what a country's has. What somebody made larger ends
/// in a failure, and not in a machine without memory.
struct GTFSLimits: Sendable {
    /// Lines, all of which the stop directory names: 100 bytes each, beside ``text``.
    var routes = 100_000
    /// Stops, by which the stop directory knows the lines that call there: 50 bytes each, beside ``text``.
    var stops = 2_000_000
    /// Pairs of a stop and a line that calls there: up to 50 bytes each, while more and more room is made for them.
    var callings = 3_000_000
    /// Trips, all of which are told apart by a hash: up to 36 bytes each, while more and more room is made for them.
    var trips = 6_000_000
    /// Trips that call at the stops of interest, or are of one line: a hundred times what a busy station has.
    var keptTrips = 1_000_000
    /// Calls of those, of many trips at the same intervals once: a hundred times what a busy station's trips have.
    var keptCalls = 8_000_000
    /// Stops of those.
    var keptStops = 200_000
    /// Days on which their services run, or do not, by exception.
    var exceptions = 1_000_000
    /// Rows of `frequencies.txt` that are theirs.
    var frequencies = 200_000
    /// Bytes of all identifiers and names.
    var text = 64 << 20

    /// That there is too much of something.
    ///
    /// - Parameters:
    ///   - what: in the plural, for people.
    ///   - file: where it was found.
    /// - Throws: ``GTFSFailure`` of kind `tooLarge` where there are more than `most`.
    @inline(__always)
    static func check(_ count: Int, _ most: Int, _ what: StaticString, _ file: GTFSFile) throws(GTFSFailure) {
        if count > most { throw tooLarge(most, what, file) }
    }

    private static func tooLarge(_ most: Int, _ what: StaticString, _ file: GTFSFile) -> GTFSFailure {
        GTFSFailure(
            kind: .tooLarge, file: file.name,
            detail: "has more than \(most) \(what), several times what any country has: the operator's to put right")
    }
}
