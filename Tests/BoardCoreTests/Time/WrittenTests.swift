import BoardCore
import Testing

@Suite("Written times")
struct WrittenTests {
    @Test(
        "a duration is a whole number and a unit",
        arguments: [("0s", 0), ("30s", 30), ("4m", 240), ("1h", 3600), ("90m", 5400), ("007s", 7)])
    func durations(text: String, seconds: Int) {
        #expect(Duration(written: text) == .seconds(seconds))
    }

    @Test(
        "nothing else is a duration",
        arguments: ["", "s", "30", "30 s", "-1s", "+1s", "1.5m", "1d", "1m30s", "٣s", "9223372036854775807h", "30S"])
    func noDurations(text: String) { #expect(Duration(written: text) == nil) }

    @Test("a duration is written in the largest unit that gives a whole number")
    func written() {
        #expect(
            [0, 10, 60, 90, 3600, 86_400].map { Duration.seconds($0).written } == [
                "0s", "10s", "1m", "90s", "1h", "24h",
            ])
    }

    @Test("a time of day has one or two digits, a colon and two digits")
    func timesOfDay() {
        #expect(Int(timeOfDay: "00:00") == 0)
        #expect(Int(timeOfDay: "23:59") == 1439)
        #expect(Int(timeOfDay: "6:30") == 390)
        for text in ["", "24:00", ":30", "006:30", "06:60", "06:3", "06-30", "06:30:00", "+6:30", "٠٦:٣٠"] {
            #expect(Int(timeOfDay: text) == nil, "\(text)")
        }
    }

    @Test(
        "a weekly window is written as it is parsed",
        arguments: [
            ("daily", "daily"), ("06:30-09:30", "daily 06:30-09:30"), ("sat,sun", "weekend"),
            ("fri,thu,wed,tue,mon 22:00-02:00", "weekdays 22:00-02:00"), ("fri,mon 18:00-24:00", "mon,fri 18:00-00:00"),
            ("Mon-Fri 6:30-9:30", "weekdays 06:30-09:30"), ("WEEKDAYS 6:30–9:30", "weekdays 06:30-09:30"),
            ("Sat-Mon,wed", "mon,wed,sat,sun"), ("tue-tue", "tue"), ("sun 06:30-06:30", "sun 06:30-06:30"),
            (" daily   06:30-09:30 ", "daily 06:30-09:30"), ("wed", "wed"),
        ])
    func windows(text: String, written: String) throws {
        let window = try WeeklyWindow(written: text)
        #expect(window.written == written)
        #expect(try WeeklyWindow(written: window.written) == window)
    }

    @Test("an invalid weekly window has a specific message, with the nearest word")
    func noWindows() {
        for (text, words) in [
            (" ", "is empty"),
            ("weekdys", "has \"weekdys\" for days; did you mean weekdays? allowed: daily, weekdays"),
            ("sat,sat", "has sat twice"), ("mon-wed,tue", "has tue twice"), ("mon-fry", "has \"fry\" for days"),
            ("mon-wed-fri", "has \"mon-wed-fri\" for days"), ("mon- 6:30-9:30", "has \"mon-\" for days"),
            ("daily 6-9", "has \"6-9\" for hours"),
            ("mon,, 06:00-07:00", "has \"mon,,\" for days"),
        ] {
            let error = #expect(throws: PlainError.self) { try WeeklyWindow(written: text) }
            #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
        }
    }
}
