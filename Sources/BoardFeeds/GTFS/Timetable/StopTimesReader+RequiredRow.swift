internal import BoardFormats

// Archives without selected trips.
extension StopTimesReader {
    /// Checks that a row has a stop and a time. In a valid archive the first row does.
    ///
    /// - Throws: ``GTFSFailure`` of the first unreadable row, or because there is no readable one.
    static func requireRow(in archive: GTFSArchive) throws(GTFSFailure) {
        var table = try Table(Detail.self, in: archive)
        var report = TimetableReport()
        while try table.next() {
            report.stopTimes += 1
            let (row, bytes, line) = (table.row, table.bytes.span, table.line)
            guard !row[Detail.stop.rawValue].isEmpty else { continue }
            guard bytes.integer(row[Detail.sequence.rawValue]) != nil else {
                report.countBadRow(.stopTimes, fault(row, bytes, line, .sequence, "a whole number"))
                continue
            }
            let arrival = time(row, bytes, line, .arrival, &report)
            let departure = time(row, bytes, line, .departure, &report)
            if max(arrival, departure) > TripCall.unreadable { return }
        }
        throw report.firstBadRow
            ?? GTFSFailure(
                kind: .badValue, file: GTFSFile.stopTimes.name, column: Detail.departure.column.name,
                detail: report.stopTimes == 0
                    ? "the file has no row" : "none of \(report.stopTimes) rows has a stop and a time")
    }
}
