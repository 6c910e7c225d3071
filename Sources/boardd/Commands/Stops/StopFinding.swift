internal import BoardCore
internal import BoardStore

/// Which stop a person meant who wrote its code: `feed:code`, the code alone or the short number on the pole, in any case.
struct StopFinding {
    /// What came of it.
    enum Result: Sendable {
        /// The one stop that is called so.
        case found(ListedStop)
        /// Several feeds have one.
        case ambiguous([ListedStop])
        /// There is none; what may have been meant.
        case nothing([ListedStop])
    }

    /// More stops of one code than there are feeds.
    private static let most = 50

    let directory: StopDirectory

    /// Looks for it. Blocks for as long as a few queries take.
    func find(_ text: String) throws(DirectoryFailure) -> Result {
        if let id = StopID(text), let stop = try known(id) { return .found(stop) }
        let feed = StopID(text)?.feed
        let code = StopID(text)?.code ?? text
        let called = try directory.search(code, limit: Self.most).found.filter { stop in
            (feed ?? stop.id.feed) == stop.id.feed
                && (stop.shortCode == code || stop.id.code.lowercased() == code.lowercased())
        }
        if called.count == 1, let only = called.first { return .found(only) }
        if !called.isEmpty { return .ambiguous(called) }
        return .nothing(try directory.candidates(forStop: text, limit: StopsDesk.candidates).found)
    }

    /// A feed without a file knows no stop, and another may be meant.
    private func known(_ id: StopID) throws(DirectoryFailure) -> ListedStop? {
        do throws(DirectoryFailure) {
            return try directory.stop(id)
        } catch {
            guard error.kind == .missing, try !directory.feeds().isEmpty else { throw error }
            return nil
        }
    }
}
