internal import BoardCore

/// The zone in which commands print times.
enum MachineZone {
    /// The machine's own; where it cannot be had, UTC, and that is said.
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
    /// "12:04:30", or with the day in front where it is another one than that of `now`.
    func text(_ moment: Timestamp, at now: Timestamp) -> String {
        let local = localTime(at: moment)
        let time = [local.hour, local.minute, local.second].map(Self.twoDigits).joined(separator: ":")
        guard local.date != localTime(at: now).date else { return time }
        return "\(local.year)-\(Self.twoDigits(local.month))-\(Self.twoDigits(local.day)) \(time)"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
