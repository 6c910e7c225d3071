internal import BoardCore
internal import BoardFormats

/// The columns used of `calendar.txt`.
private enum CalendarColumn: Int, TableColumns {
    case service, start, end, monday, tuesday, wednesday, thursday, friday, saturday, sunday

    static let file = GTFSFile.calendar

    var column: Table.Column {
        switch self {
        case .service: .required("service_id")
        case .start: .required("start_date")
        case .end: .required("end_date")
        case .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday: .required("\(self)")
        }
    }

    static func day(_ weekday: Weekday) -> CalendarColumn {
        switch weekday {
        case .mon: .monday
        case .tue: .tuesday
        case .wed: .wednesday
        case .thu: .thursday
        case .fri: .friday
        case .sat: .saturday
        case .sun: .sunday
        }
    }
}

/// The columns used of `calendar_dates.txt`.
private enum ExceptionColumn: Int, TableColumns {
    case service, date, type

    static let file = GTFSFile.calendarDates

    var column: Table.Column {
        switch self {
        case .service: .required("service_id")
        case .date: .required("date")
        case .type: .required("exception_type")
        }
    }
}

extension TimetableReader {
    /// Reads the service days of the selected trips, and the first and last service day of the whole feed.
    mutating func readServices() throws(GTFSFailure) -> [ServiceDays] {
        let keys = services
        var days = [ServiceDays](repeating: ServiceDays(), count: keys.count)
        // A bad row of a service without selected trips does not count.
        if archive.contains(.calendar) {
            try rows(of: CalendarColumn.self) { reader, table throws(GTFSFailure) in
                let service = table.number(of: CalendarColumn.service, in: keys)
                let isSelected = service != ByteKeys.unknown
                guard let week = isSelected ? try table.week() : try? table.week() else { return }
                reader.report.extendServiceDays(week.days)
                guard isSelected else { return }
                days[service].range = week.range
                days[service].weekdays.formUnion(week.weekdays)
            }
        }
        if archive.contains(.calendarDates) {
            var count = 0
            try rows(of: ExceptionColumn.self) { reader, table throws(GTFSFailure) in
                let service = table.number(of: ExceptionColumn.service, in: keys)
                let isSelected = service != ByteKeys.unknown
                guard let (day, isAdded) = isSelected ? try table.exception() : try? table.exception() else { return }
                if isAdded { reader.report.extendServiceDays(day...day) }
                guard isSelected else { return }
                count += 1
                try GTFSLimits.check(
                    count, reader.archive.limits.exceptions, "exceptions of the selected services", .calendarDates)
                if isAdded { days[service].added.insert(day) } else { days[service].removed.insert(day) }
            }
        }
        return days
    }
}

extension Table {
    /// The current row of `calendar.txt`.
    fileprivate borrowing func week() throws(GTFSFailure) -> ServiceDays {
        let start = try date(CalendarColumn.start)
        let end = try date(CalendarColumn.end)
        guard start <= end else { throw fault(CalendarColumn.end, "a day after the start_date") }
        var days = ServiceDays(range: start...end)
        for weekday in Weekday.allCases where try integer(CalendarColumn.day(weekday)) == 1 {
            days.weekdays.insert(weekday)
        }
        return days
    }

    /// The current row of `calendar_dates.txt`.
    fileprivate borrowing func exception() throws(GTFSFailure) -> (day: CivilDate, isAdded: Bool) {
        let day = try date(ExceptionColumn.date)
        switch try integer(ExceptionColumn.type) {
        case 1: return (day, true)
        case 2: return (day, false)
        default: throw fault(ExceptionColumn.type, "1 or 2")
        }
    }
}
