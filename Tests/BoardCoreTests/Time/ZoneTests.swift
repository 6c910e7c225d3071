import BoardCore
import Testing

@Suite("Time zones")
struct ZoneTests {
    private func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    /// The zone's local time as "yyyy-mm-dd hh:mm:ss".
    private func clock(_ zone: Zone, _ text: String) throws -> String {
        let offset = zone.offset(at: try moment(text))
        return String((try moment(text) + offset).rfc3339.dropLast()).replacing("T", with: " ")
    }

    @Test("London by its rule changes at 01:00 UTC, forward in March and back in October")
    func london() throws {
        let zone = try Zone(posix: "GMT0BST,M3.5.0/1,M10.5.0")
        #expect(try clock(zone, "2024-03-31T00:59:59Z") == "2024-03-31 00:59:59")
        #expect(try clock(zone, "2024-03-31T01:00:00Z") == "2024-03-31 02:00:00")
        #expect(try clock(zone, "2024-10-27T00:59:59Z") == "2024-10-27 01:59:59")
        #expect(try clock(zone, "2024-10-27T01:00:00Z") == "2024-10-27 01:00:00")
        #expect(try clock(zone, "2099-07-01T12:00:00Z") == "2099-07-01 13:00:00")
    }

    @Test("in the south daylight saving spans the end of the year")
    func sydney() throws {
        let zone = try Zone(posix: "AEST-10AEDT,M10.1.0,M4.1.0/3")
        #expect(try clock(zone, "2023-12-31T23:59:59Z") == "2024-01-01 10:59:59")
        #expect(try clock(zone, "2024-04-06T15:59:59Z") == "2024-04-07 02:59:59")
        #expect(try clock(zone, "2024-04-06T16:00:00Z") == "2024-04-07 02:00:00")
        #expect(try clock(zone, "2024-10-05T16:00:00Z") == "2024-10-06 03:00:00")
    }

    @Test("Dublin's winter time is a negative daylight saving")
    func dublin() throws {
        let zone = try Zone(posix: "IST-1GMT0,M10.5.0,M3.5.0/1")
        #expect(try clock(zone, "2024-01-15T12:00:00Z") == "2024-01-15 12:00:00")
        #expect(try clock(zone, "2024-07-15T12:00:00Z") == "2024-07-15 13:00:00")
        #expect(try clock(zone, "2024-03-31T00:59:59Z") == "2024-03-31 00:59:59")
        #expect(try clock(zone, "2024-03-31T01:00:00Z") == "2024-03-31 02:00:00")
        #expect(try clock(zone, "2024-10-27T01:00:00Z") == "2024-10-27 01:00:00")
    }

    @Test("rules may have quoted names, negative times and times of more than a day")
    func wideRules() throws {
        // Nuuk changes on Saturday at 22:00: an hour before Sunday's midnight, twice.
        let nuuk = try Zone(posix: "<-02>2<-01>,M3.5.0/-1,M10.5.0/0")
        #expect(try clock(nuuk, "2024-03-31T00:59:59Z") == "2024-03-30 22:59:59")
        #expect(try clock(nuuk, "2024-03-31T01:00:00Z") == "2024-03-31 00:00:00")
        // Jerusalem: 26 hours after the Thursday of the fourth week, that is Friday at 02:00.
        let jerusalem = try Zone(posix: "IST-2IDT,M3.4.4/26,M10.5.0")
        #expect(try clock(jerusalem, "2024-03-28T23:59:59Z") == "2024-03-29 01:59:59")
        #expect(try clock(jerusalem, "2024-03-29T00:00:00Z") == "2024-03-29 03:00:00")
        // Minutes and seconds, and an explicit plus.
        let odd = try Zone(posix: "<+0544>-5:44:30")
        #expect(odd.offset(at: Timestamp(seconds: 0)) == .seconds(20_670))
        #expect(try Zone(posix: "EST+5").offset(at: Timestamp(seconds: 0)) == .seconds(-18_000))
    }

    @Test("days may be counted with and without 29 February")
    func countedDays() throws {
        // J60 is 1 March in every year, 59 the 60th day of the year: 1 March, or 29 February.
        let julian = try Zone(posix: "AAA0BBB,J60/0,J300/0")
        #expect(try clock(julian, "2023-03-01T00:00:00Z") == "2023-03-01 01:00:00")
        #expect(try clock(julian, "2024-02-29T23:59:59Z") == "2024-02-29 23:59:59")
        #expect(try clock(julian, "2024-03-01T00:00:00Z") == "2024-03-01 01:00:00")
        let counted = try Zone(posix: "AAA0BBB,59/0,300/0")
        #expect(try clock(counted, "2023-02-28T23:59:59Z") == "2023-02-28 23:59:59")
        #expect(try clock(counted, "2023-03-01T00:00:00Z") == "2023-03-01 01:00:00")
        #expect(try clock(counted, "2024-02-28T23:59:59Z") == "2024-02-28 23:59:59")
        #expect(try clock(counted, "2024-02-29T00:00:00Z") == "2024-02-29 01:00:00")
    }

    @Test("all-year daylight saving never ends", arguments: ["XXX3EDT4,0/0,J365/23", "EST5EDT,0/0,J365/25"])
    func allYear(_ rule: String) throws {
        let zone = try Zone(posix: rule)
        let start = try moment("2023-01-01T00:00:00Z")
        let odd = (0..<1_500 * 24).map { start + .seconds($0 * 3_600) }
            .filter { zone.offset(at: $0) != .seconds(-14_400) }
        #expect(odd.isEmpty)
        #expect(zone.nextChange(after: Timestamp(seconds: 0)) == nil)
    }

    @Test(
        "an invalid rule is rejected",
        arguments: [
            "", "G0", "GMT", "GMT0BST", "GMT0BST,M3.5.0", "GMT0BST,M3.5.0/1,M10.5.0,", "GMT0BST,M13.5.0,M10.5.0",
            "GMT0BST,M0.5.0,M10.5.0", "GMT0BST,M3.0.0,M10.5.0", "GMT0BST,M3.6.0,M10.5.0", "GMT0BST,M3.5.7,M10.5.0",
            "GMT0BST,J0,J300", "GMT0BST,J366,J300", "GMT0BST,366,300", "GMT0BST,M3.5.0/168,M10.5.0", "GMT25",
            "GMT0:60", "<GMT0", "<+0>0", "GMT--1", "GMT9999999999999999999", "GMT0 ", "Ünï0", "GMT0BST,M3.5.0/,M10.5.0",
        ])
    func badRules(_ rule: String) {
        #expect(throws: PlainError("not a POSIX time zone rule: \"\(rule)\"")) { try Zone(posix: rule) }
    }

    @Test("the next change is the next time that clocks are put forward or back")
    func nextChange() throws {
        let zone = try Zone(posix: "GMT0BST,M3.5.0/1,M10.5.0")
        let spring = try moment("2024-03-31T01:00:00Z")
        let autumn = try moment("2024-10-27T01:00:00Z")
        #expect(zone.nextChange(after: try moment("2024-01-01T00:00:00Z")) == spring)
        #expect(zone.nextChange(after: spring - .microseconds(1)) == spring)
        #expect(zone.nextChange(after: spring) == autumn)
        #expect(zone.nextChange(after: autumn) == (try moment("2025-03-30T01:00:00Z")))
        #expect(Zone.utc.nextChange(after: spring) == nil)
    }
}
