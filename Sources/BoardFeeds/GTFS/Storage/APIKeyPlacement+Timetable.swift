internal import BoardCore

extension APIKeyPlacement {
    /// The key as the host of the timetable gets it. It is given for what the operator says of now, and the zip is often kept
    /// by somebody else: it goes there only if that is who is asked about now, or if nobody is.
    ///
    /// - Parameter realtime: where the operator says what is now.
    func forTimetable(at timetable: GTFSSource, realtime: [GTFSSource]) -> APIKeyPlacement {
        guard let url = timetable.url else { return self }
        let others = realtime.compactMap(\.url)
        var key = self
        key.isWithheld = isConfigured && !others.isEmpty && !others.contains(where: url.isSameOrigin)
        return key
    }
}
