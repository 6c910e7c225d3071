import BoardCore
import Testing

@Suite("Times of RFC 3339")
struct RFC3339Tests {
    /// 2024-07-15T15:41:04Z.
    private let moment = Timestamp(seconds: 1_721_058_064)

    @Test(
        "every format of operators for a moment gives that moment",
        arguments: [
            "2024-07-15T15:41:04Z", "2024-07-15t15:41:04z", "2024-07-15 15:41:04Z", "2024-07-15T15:41:04.0Z",
            "2024-07-15T15:41:04.000000000Z", "2024-07-15T16:41:04+01:00", "2024-07-15T16:41:04+0100",
            "2024-07-15T16:41:04+01", "2024-07-15T12:11:04-0330", "2024-07-15T12:11:04-03:30",
            "2024-07-16T01:41:04.00+10:00", "2024-07-14T16:41:04-23:00",
        ])
    func oneMoment(_ text: String) {
        #expect(Timestamp(rfc3339: text) == moment)
    }

    @Test(
        "fractions of one to nine digits and more are accepted, and truncated to microseconds",
        arguments: [
            ("5", 500_000), ("54", 540_000), ("543", 543_000), ("5432", 543_200), ("54321", 543_210),
            ("543219", 543_219), ("5432199", 543_219), ("54321999", 543_219), ("543219999", 543_219),
            ("543219999999", 543_219), ("000001", 1), ("0000009", 0),
        ])
    func fractions(_ digits: String, _ microseconds: Int64) {
        let expected = Timestamp(microseconds: moment.microseconds + microseconds)
        #expect(Timestamp(rfc3339: "2024-07-15T15:41:04.\(digits)Z") == expected)
        #expect(Timestamp(rfc3339: "2024-07-15T16:41:04.\(digits)+01:00") == expected)
    }

    @Test("seconds that Java omits are 0")
    func noSeconds() {
        #expect(Timestamp(rfc3339: "2024-07-15T15:41Z") == Timestamp(seconds: 1_721_058_060))
        #expect(Timestamp(rfc3339: "2024-07-15T15:41-07:00") == Timestamp(seconds: 1_721_083_260))
        #expect(Timestamp(rfc3339: "2024-07-15T15:41.5Z") == nil)
    }

    @Test("a leap second is the following second, and valid only at the end of a day in UTC")
    func leapSecond() {
        let newYear = Timestamp(rfc3339: "2017-01-01T00:00:00Z")
        #expect(Timestamp(rfc3339: "2016-12-31T23:59:60Z") == newYear)
        #expect(Timestamp(rfc3339: "2017-01-01T05:29:60+05:30") == newYear)
        #expect(Timestamp(rfc3339: "2016-12-31T23:58:60Z") == nil)
        #expect(Timestamp(rfc3339: "2016-12-31T23:59:60+01:00") == nil)
        #expect(Timestamp(rfc3339: "2016-12-31T23:59:61Z") == nil)
    }

    @Test("24:00:00 is the end of the day, and no other time has hour 24")
    func hour24() {
        #expect(Timestamp(rfc3339: "2024-02-28T24:00:00Z") == Timestamp(rfc3339: "2024-02-29T00:00:00Z"))
        #expect(Timestamp(rfc3339: "2024-02-28T24:00:01Z") == nil)
        #expect(Timestamp(rfc3339: "2024-02-28T24:00:00.1Z") == nil)
        #expect(Timestamp(rfc3339: "2024-02-28T24:01:00Z") == nil)
    }

    @Test(
        "invalid text is nil",
        arguments: [
            "", "null", "2024", "2024-07-15", "15:41:04Z", "2024-13-15T15:41:04Z", "2024-00-15T15:41:04Z",
            "2024-02-30T15:41:04Z", "2023-02-29T15:41:04Z", "1900-02-29T15:41:04Z", "2024-04-31T15:41:04Z",
            "2024-07-00T15:41:04Z", "2024-07-15T25:41:04Z", "2024-07-15T15:60:04Z", "2024-07-15T15:41:04",
            "2024-07-15T15:41:04.Z", "2024-07-15T15:41:04,5Z", "2024-07-15T15:41:04Z ", " 2024-07-15T15:41:04Z",
            "2024-07-15T15:41:04ZZ", "2024-07-15T15:41:04+", "2024-07-15T15:41:04+1", "2024-07-15T15:41:04+01:",
            "2024-07-15T15:41:04+01:0", "2024-07-15T15:41:04+01:60", "2024-07-15T15:41:04+24:00",
            "2024-07-15T15:41:04+01:00:00", "2024-07-15T15:41:04 Z", "2024/07/15T15:41:04Z", "20240715T154104Z",
            "2024-07-15_15:41:04Z", "-024-07-15T15:41:04Z", "2024-07-15T15:41:4Z", "２０２４-07-15T15:41:04Z",
        ])
    func noMoment(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test("year 1 of .NET and Go is not a date", arguments: ["0001-01-01T00:00:00", "0001-01-01T00:00:00Z"])
    func noDate(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
        #expect(Timestamp(rfc3339: "0000-01-01T00:00:00Z") == nil)
        #expect(Timestamp(rfc3339: "0002-01-01T00:00:00Z") != nil)
    }

    @Test("bytes and substrings are parsed like strings")
    func bytes() {
        let text = "x2024-07-15T15:41:04Zx"
        #expect(Timestamp(rfc3339: text.dropFirst().dropLast()) == moment)
        let bytes = [UInt8]("2024-07-15T15:41:04Z".utf8)
        #expect(Timestamp(rfc3339: bytes.span) == moment)
        #expect(Timestamp(rfc3339: bytes.span.extracting(0..<19)) == nil)
    }

    @Test(
        "a moment is written in UTC with the digits needed, and parsed back",
        arguments: [
            (1_721_058_064_000_000, "2024-07-15T15:41:04Z"), (1_721_058_064_500_000, "2024-07-15T15:41:04.500Z"),
            (1_721_058_064_000_001, "2024-07-15T15:41:04.000001Z"), (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59.999999Z"), (-2_208_988_800_000_000, "1900-01-01T00:00:00Z"),
        ])
    func written(_ microseconds: Int64, _ text: String) {
        let moment = Timestamp(microseconds: microseconds)
        #expect(moment.rfc3339 == text)
        #expect(Timestamp(rfc3339: text) == moment)
    }

    @Test("writing the ends of the range does not trap")
    func ends() {
        #expect(Timestamp(microseconds: .max).rfc3339 == "294247-01-10T04:00:54.775807Z")
        #expect(Timestamp(microseconds: .min).rfc3339 == "-290308-12-21T19:59:05.224192Z")
    }
}

@Suite("HTTP dates")
struct HTTPDateTests {
    @Test("an HTTP date is its second")
    func date() {
        #expect(Timestamp(httpDate: "Mon, 15 Jul 2024 15:41:04 GMT") == Timestamp(seconds: 1_721_058_064))
        #expect(Timestamp(httpDate: "Thu, 01 Jan 1970 00:00:00 GMT") == Timestamp(seconds: 0))
        #expect(Timestamp(httpDate: "Sat, 31 Dec 2016 23:59:60 GMT") == Timestamp(rfc3339: "2017-01-01T00:00:00Z"))
    }

    @Test(
        "anything else is nil",
        arguments: [
            "", "120", "Mon, 15 Jul 2024 15:41:04", "Mon, 15 Jul 2024 15:41:04 UTC", "Mon, 15 Jul 2024 15:41:04 GMT ",
            "Mox, 15 Jul 2024 15:41:04 GMT", "Mon, 15 Jux 2024 15:41:04 GMT", "Mon, 32 Jul 2024 15:41:04 GMT",
            "Mon, 15 Jul 2024 24:00:00 GMT", "Mon, 15 Jul 2024 15:60:04 GMT", "Mon 15 Jul 2024 15:41:04  GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func noDate(_ text: String) {
        #expect(Timestamp(httpDate: text) == nil)
    }
}
