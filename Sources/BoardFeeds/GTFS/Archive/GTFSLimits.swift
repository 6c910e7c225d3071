/// The most that is kept in memory of an archive: what large countries need and a machine with little memory can bear. A
/// timetable that reaches all of these at once takes about 50 MB, and for a moment there are two: the one that serves and the
/// one that is to take its place. A larger one is refused before it is kept, and does not end in a machine without
/// memory.
struct GTFSLimits: Sendable {
    /// Lines, all of which the stop directory names: 200 bytes each, beside ``text``.
    var routes = 60_000
    /// Stops, by which the stop directory knows the lines that call there: 60 bytes each, beside ``text``.
    var stops = 700_000
    /// Pairs of a stop and a line that calls there: up to 32 bytes each, while more and more room is made for them.
    var stopRoutePairs = 1_500_000
    /// Trips, of each of which the hash of its identifier is kept: up to 24 bytes each while the table grows.
    var trips = 2_500_000
    /// Trips that call at the stops of interest, or are of one line: ten times what a busy station has. 300 bytes each.
    var selectedTrips = 150_000
    /// Calls of one trip; the longest that there are have 300.
    var tripCalls = 2_000
    /// Calls of those trips, of many at the same intervals once: 24 to 36 bytes each.
    var selectedCalls = 1_000_000
    /// Calls of those trips at the stops of interest, of each trip: 28 bytes each.
    var watchedCalls = 500_000
    /// Stops of those trips: 250 bytes each.
    var selectedStops = 40_000
    /// Days on which their services run, or do not, by exception: 40 bytes each.
    var exceptions = 200_000
    /// Rows of `frequencies.txt` that are theirs, and calls at the stops of interest in each of these rows: every question
    /// looks at all of the latter.
    var frequencies = 20_000, repeatedCalls = 20_000
    /// Bytes of all identifiers and names of the stop directory, and of those of the kept trips.
    var text = 24 << 20, selectedText = 10 << 20

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
            detail: "has more than \(most) \(what), and no board needs so many: the operator's to put right")
    }
}
