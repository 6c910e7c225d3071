import BoardCore
import Testing

@Suite("Local times and their moments")
struct ZoneLocalTimeTests {
    private let london: Zone
    private let apia: Zone

    init() throws {
        london = try Zone(posix: "GMT0BST,M3.5.0/1,M10.5.0")
        // Samoa skipped 30 December 2011: from -10:00 to +14:00 at midnight.
        var file = TZifWriter()
        file.changes = [(at: 1_325_239_200, type: 1)]
        file.types = [(-36_000, 1, 0), (50_400, 1, 0)]
        apia = try Zone(tzif: file.bytes.span)
    }

    private func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    private func local(_ text: String) throws -> LocalTime { try moment(text + "Z").utc }

    @Test("an ordinary time is one moment")
    func unique() throws {
        #expect(london.timestamps(of: try local("2024-07-15T12:45:00")) == .unique(try moment("2024-07-15T11:45:00Z")))
        #expect(london.timestamps(of: try local("2024-03-31T02:00:00")) == .unique(try moment("2024-03-31T01:00:00Z")))
        #expect(london.timestamps(of: try local("2024-10-27T02:00:00")) == .unique(try moment("2024-10-27T02:00:00Z")))
    }

    @Test("a repeated hour is two moments, of which the nearer one is used")
    func ambiguous() throws {
        let local = try local("2024-10-27T01:30:00")
        let earlier = try moment("2024-10-27T00:30:00Z")
        let later = try moment("2024-10-27T01:30:00Z")
        #expect(london.timestamps(of: local) == .ambiguous(earlier: earlier, later: later))
        #expect(london.timestamp(of: local, nearest: try moment("2024-10-27T00:59:00Z")) == earlier)
        #expect(london.timestamp(of: local, nearest: try moment("2024-10-27T01:01:00Z")) == later)
    }

    @Test("a skipped hour is the moment by the offset before the change")
    func skipped() throws {
        let moment = try moment("2024-03-31T01:30:00Z")
        #expect(london.timestamps(of: try local("2024-03-31T01:30:00")) == .skipped(moment))
        #expect(london.localTime(at: moment) == (try local("2024-03-31T02:30:00")))
    }

    @Test("a skipped day is handled like a skipped hour")
    func skippedDay() throws {
        #expect(apia.timestamps(of: try local("2011-12-30T12:00:00")) == .skipped(try moment("2011-12-30T22:00:00Z")))
        #expect(apia.timestamps(of: try local("2011-12-29T23:59:59")) == .unique(try moment("2011-12-30T09:59:59Z")))
        #expect(apia.timestamps(of: try local("2011-12-31T00:00:00")) == .unique(try moment("2011-12-30T10:00:00Z")))
    }

    @Test("every quarter of an hour of a year round-trips through its local time")
    func roundTrip() throws {
        var moment = try moment("2024-01-01T00:00:00Z")
        var odd: [Timestamp] = []
        for _ in 0..<366 * 24 * 4 {
            if london.timestamp(of: london.localTime(at: moment), nearest: moment) != moment { odd.append(moment) }
            moment = moment + .seconds(900)
        }
        #expect(odd.isEmpty)
    }
}
