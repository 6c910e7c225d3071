internal import BoardCore

/// What a reading of a timetable was like, beside the timetable.
struct TimetableReport: Hashable, Sendable {
    /// Rows of one file that were left out.
    struct BadRows: Hashable, Sendable {
        /// How many.
        var count: Int
        /// The first of them.
        let first: GTFSFailure
    }

    /// `feed_start_date`; nil: not told.
    var feedStart: CivilDate?
    /// `feed_end_date`, after which nothing in the feed is meant to be true; nil: not told.
    var feedEnd: CivilDate?
    /// The last day on which a kept trip runs; nil: none ever does.
    var lastServiceDay: CivilDate?
    /// Rows that could not be read, of those that mattered.
    var badRows: [GTFSFile: BadRows] = [:]
    /// Stops of interest that `stops.txt` does not have.
    var unknownStops: [String] = []
    /// Rows of `stop_times.txt`, all of them.
    var stopTimes = 0
    /// Whether the rows of a trip were not together, so that `stop_times.txt` was read twice.
    var isUnsorted = false
    /// How long the reading took.
    var took = Duration.zero

    /// The day after which the timetable is of no use: the feed's own word, else the last day of service.
    var lastDay: CivilDate? { feedEnd ?? lastServiceDay }

    /// Counts a row that is left out.
    mutating func leaveOut(_ file: GTFSFile, _ failure: GTFSFailure) {
        badRows[file, default: BadRows(count: 0, first: failure)].count += 1
    }
}
