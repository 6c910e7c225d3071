internal import BoardFormats

/// The limits on what is stored of an archive in memory: enough for large countries, and small enough for a machine with
/// little memory. A timetable that reaches all limits takes about 50 MB. While a newer one replaces it, both are in
/// memory. A larger one is rejected before it is stored.
package struct GTFSLimits: Sendable {
    /// Lines, all of which the stop directory names: 200 bytes each, in addition to ``text``.
    var routes = 60_000
    /// Stops for which the stop directory lists the lines that call there: 60 bytes each, in addition to ``text``.
    var stops = 700_000
    /// Pairs of a stop and a line that calls there: up to 32 bytes each while the array grows.
    var stopRoutePairs = 1_500_000
    /// Trips, whose `trip_id` hashes are stored: up to 24 bytes each while the table grows.
    var trips = 2_500_000
    /// Trips that call at the requested stops, or trips of one line: ten times those of a busy station. 300 bytes each.
    var selectedTrips = 150_000
    /// Calls of one trip; the longest trips have 300.
    var tripCalls = 2_000
    /// Calls of the selected trips; trips with equal intervals share theirs. 24 to 36 bytes each.
    var selectedCalls = 1_000_000
    /// Calls of the selected trips at the requested stops, counted per trip: 28 bytes each.
    var watchedCalls = 500_000
    /// Stops of the selected trips: 250 bytes each.
    var selectedStops = 40_000
    /// Exceptions of `calendar_dates.txt` to their services: 40 bytes each.
    var exceptions = 200_000
    /// Rows of `frequencies.txt` of the selected trips, and calls at the requested stops in each of these rows: every
    /// request scans all of the latter.
    var frequencies = 20_000, repeatedCalls = 20_000
    /// Bytes of all identifiers and names of the stop directory, and of those of the selected trips.
    var text = 24 << 20, selectedText = 10 << 20

    package init() {}

    /// - Parameter what: the counted things, in the plural, for the message.
    /// - Throws: ``TableFailure`` of kind `tooLarge` if `count` exceeds `most`.
    @inline(__always)
    static func check(_ count: Int, _ most: Int, _ what: StaticString, _ file: GTFSFile) throws(TableFailure) {
        if count > most { throw tooLarge(most, what, file) }
    }

    private static func tooLarge(_ most: Int, _ what: StaticString, _ file: GTFSFile) -> TableFailure {
        TableFailure(
            kind: .tooLarge, file: file.name,
            detail: "has more than \(most) \(what), more than any departure board needs: report it to the operator")
    }
}
