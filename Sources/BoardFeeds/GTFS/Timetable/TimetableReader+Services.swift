internal import BoardCore
internal import BoardFormats

extension TimetableReader {
    /// Reads the service days of the selected trips, and the first and last service day of the whole feed.
    mutating func readServices() throws(TableFailure) -> [ServiceDays] {
        let keys = services
        var days = [ServiceDays](repeating: ServiceDays(), count: keys.count)
        // A bad row of a service without selected trips does not count.
        if archive.contains(.calendar) {
            try rows(of: CalendarColumn.self) { reader, table throws(TableFailure) in
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
            try rows(of: CalendarDateColumn.self) { reader, table throws(TableFailure) in
                let service = table.number(of: CalendarDateColumn.service, in: keys)
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
    fileprivate borrowing func week() throws(TableFailure) -> ServiceDays {
        let start = try date(CalendarColumn.start)
        let end = try date(CalendarColumn.end)
        guard start <= end else { throw fault(CalendarColumn.end, "a day after the start_date") }
        var days = ServiceDays(range: start...end)
        for (weekday, column) in CalendarColumn.weekdays where try integer(column) == 1 {
            days.weekdays.insert(weekday)
        }
        return days
    }

    fileprivate borrowing func exception() throws(TableFailure) -> (day: CivilDate, isAdded: Bool) {
        let day = try date(CalendarDateColumn.date)
        switch try integer(CalendarDateColumn.type) {
        case 1: return (day, true)
        case 2: return (day, false)
        default: throw fault(CalendarDateColumn.type, "1 or 2")
        }
    }
}
