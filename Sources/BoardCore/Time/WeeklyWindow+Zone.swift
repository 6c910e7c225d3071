extension Zone {
    /// Minutes since local midnight and the weekday at `moment`.
    func timeOfDay(at moment: Timestamp) -> (minute: Int, weekday: Weekday) {
        let local = localTime(at: moment)
        return (local.minuteOfDay, local.weekday)
    }
}

extension WeeklyWindow {
    /// Whether a time of day is in the window; the part after midnight belongs to the day on which it began.
    public func covers(minute: Int, weekday: Weekday) -> Bool {
        if from < to { return days.contains(weekday) && (from..<to).contains(minute) }
        return (minute >= from && days.contains(weekday)) || (minute < to && days.contains(weekday.yesterday))
    }
}

extension Weekday {
    var yesterday: Weekday {
        Weekday.allCases[(rawValue + Weekday.allCases.count - 1) % Weekday.allCases.count]
    }
}
