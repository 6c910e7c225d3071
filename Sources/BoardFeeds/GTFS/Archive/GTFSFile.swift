/// The GTFS files that boardd reads.
enum GTFSFile: String, CaseIterable, Sendable {
    case agency = "agency.txt"
    case stops = "stops.txt"
    case routes = "routes.txt"
    case trips = "trips.txt"
    case stopTimes = "stop_times.txt"
    case calendar = "calendar.txt"
    case calendarDates = "calendar_dates.txt"
    case frequencies = "frequencies.txt"
    case feedInfo = "feed_info.txt"
    case bookingRules = "booking_rules.txt"
    case translations = "translations.txt"

    var name: String { rawValue }

    /// The most bytes of the file, a few times those of the largest countries.
    var limit: UInt64 {
        switch self {
        case .stopTimes: 8 << 30
        case .trips, .stops, .calendarDates, .translations: 1 << 30
        case .agency, .routes, .calendar, .frequencies, .feedInfo, .bookingRules: 64 << 20
        }
    }
}
