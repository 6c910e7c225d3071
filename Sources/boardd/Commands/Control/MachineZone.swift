internal import BoardCore

/// The zone in which commands print times.
enum MachineZone {
    /// The machine's own zone; UTC, with a remark, where that is not available.
    static var current: Zone {
        do {
            return try ZoneDirectory().machineZone(tz: Environment.current["TZ"])
        } catch {
            StandardError.write("remark: \(error); times are in UTC\n")
            return .utc
        }
    }
}

extension Zone {
    /// "12:04:30", preceded by the date if it is not that of `now`.
    func text(_ moment: Timestamp, at now: Timestamp) -> String {
        let local = localTime(at: moment)
        let time = [local.hour, local.minute, local.second].map(Self.twoDigits).joined(separator: ":")
        guard local.date != localTime(at: now).date else { return time }
        return "\(local.year)-\(Self.twoDigits(local.month))-\(Self.twoDigits(local.day)) \(time)"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
