internal import BoardCore

extension APIKeyPlacement {
    /// The key for the host of the timetable. Operators issue it for realtime requests, and another party often hosts the
    /// zip: that host gets the key only if it also serves a realtime URL, or if there are none.
    func forTimetable(at timetable: GTFSSource, realtime: [GTFSSource]) -> APIKeyPlacement {
        guard let url = timetable.url else { return self }
        let others = realtime.compactMap(\.url)
        var key = self
        key.isWithheld = isConfigured && !others.isEmpty && !others.contains(where: url.isSameOrigin)
        return key
    }
}
