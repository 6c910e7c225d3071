internal import BoardCore

extension PlacedKey {
    /// The key as the host of the timetable gets it. It is given for what the operator says of now, and the zip is often kept
    /// by somebody else: it goes there only if that is who is asked about now, or if nobody is.
    ///
    /// - Parameter realtime: where the operator says what is now.
    func forTimetable(at timetable: GTFSSource, realtime: [GTFSSource]) -> PlacedKey {
        guard let url = timetable.url else { return self }
        let others = realtime.compactMap(\.url)
        var key = self
        key.isWithheld = isWanted && !others.isEmpty && !others.contains(where: url.isOfSameHost)
        return key
    }
}
