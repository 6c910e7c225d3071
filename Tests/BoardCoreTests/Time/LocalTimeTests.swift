import BoardCore
import Testing

@Suite("The calendar")
struct LocalTimeTests {
    @Test("every day of eight hundred years is the day after the previous one")
    func everyDay() throws {
        var previous = try #require(CivilDate(year: 1599, month: 12, day: 31))
        var odd: [CivilDate] = []
        while previous.year < 2400 {
            let date = CivilDate(daysSince1970: previous.daysSince1970 + 1)
            let isSameMonth = previous.day < CivilDate.days(inMonth: previous.month, of: previous.year)
            let isSameYear = isSameMonth || previous.month < 12
            let isNext =
                date.day == (isSameMonth ? previous.day + 1 : 1)
                && date.month == (isSameMonth ? previous.month : previous.month % 12 + 1)
                && date.year == (isSameYear ? previous.year : previous.year + 1)
                && date.weekday.rawValue == (previous.weekday.rawValue + 1) % 7
                && CivilDate(year: date.year, month: date.month, day: date.day) == date
            if !isNext { odd.append(date) }
            previous = date
        }
        #expect(odd.isEmpty)
    }

    @Test("sample days have their weekdays")
    func weekdays() throws {
        #expect(CivilDate(daysSince1970: 0).weekday == .thu)
        #expect(try #require(CivilDate(year: 2024, month: 7, day: 15)).weekday == .mon)
        #expect(try #require(CivilDate(year: 1815, month: 6, day: 18)).weekday == .sun)
    }

    @Test("leap years are those of the Gregorian calendar")
    func leapYears() {
        #expect([1600, 1996, 2000, 2024, 2400].allSatisfy(CivilDate.isLeap))
        #expect(![1700, 1900, 2023, 2100].contains(where: CivilDate.isLeap))
    }

    @Test("a moment's parts are those of a clock in UTC, before 1970 too")
    func parts() {
        let clock = Timestamp(seconds: 1_721_058_064).utc
        #expect([clock.year, clock.month, clock.day] == [2024, 7, 15])
        #expect([clock.hour, clock.minute, clock.second, clock.minuteOfDay] == [15, 41, 4, 941])
        #expect(clock.secondsSince1970 == 1_721_058_064)
        let before = Timestamp(microseconds: -1).utc
        #expect([before.year, before.month, before.day, before.hour, before.second] == [1969, 12, 31, 23, 59])
    }

    @Test("an invalid time of day is nil")
    func noTime() throws {
        let day = try #require(CivilDate(year: 2024, month: 2, day: 29))
        #expect(LocalTime(day, hour: 24, minute: 0) == nil)
        #expect(LocalTime(day, hour: 0, minute: 60) == nil)
        #expect(LocalTime(day, hour: 0, minute: 0, second: 60) == nil)
        #expect(LocalTime(day, hour: 23, minute: 59, second: 59)?.secondOfDay == 86_399)
        #expect(CivilDate(year: 2023, month: 2, day: 29) == nil)
        #expect(CivilDate(year: .max, month: 1, day: 1) == nil)
    }

    @Test("the ends of the range are clamped and do not trap")
    func ends() {
        #expect(CivilDate(daysSince1970: .max).year > 90_000_000)
        #expect(CivilDate(daysSince1970: .min).year < -90_000_000)
    }
}
