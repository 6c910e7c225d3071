internal import BoardCore

extension FeedDirectory {
    /// The number of interchanges, stations and poles in a box, and the ranks of the most important ones, in this order; at most
    /// `limit`. The index has the coordinates with 32 bits: stops up to half a metre outside may be among them.
    func ranks(in box: BoundingBox, limit: Int) throws(SQLiteFailure) -> (ranks: [Int64], total: Int) {
        // The index of places has only those at which vehicles call. There are few interchanges.
        let sources = [
            "SELECT rank FROM stop WHERE kind = \(ListedStop.Kind.interchange.importance)"
                + " AND latitude >= ? AND latitude <= ? AND longitude >= ? AND longitude <= ?",
            "SELECT rank FROM place WHERE north >= ? AND south <= ? AND east >= ? AND west <= ?",
        ]
        var ranks: [Int64] = []
        for part in box.parts {
            for source in sources {
                try connection.statement(source).each(
                    .real(part.south), .real(part.north), .real(part.west), .real(part.east)
                ) { row in ranks.append(row.integer(0)) }
            }
        }
        let total = ranks.count
        ranks.sort()
        return (Array(ranks.prefix(limit)), total)
    }
}
