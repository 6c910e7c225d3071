internal import BoardCore
internal import BoardStore

/// Finds unknown stops in the stop directory, before a request: an operator may respond to those as in an outage.
struct StopListCheck: Sendable {
    /// The number of candidates in the message.
    private static let candidates = 3

    private let directory: StopDirectory

    init(in directory: StopDirectory) {
        self.directory = directory
    }

    /// The fault of a stop, as the end of a sentence that begins with it; nil where its feed's list has it, or where there is
    /// no list. Blocks for a few queries.
    @Sendable func missingStopReason(about stop: StopID) -> String? {
        do throws(DirectoryFailure) {
            guard try directory.stop(stop) == nil else { return nil }
            let near = try directory.candidates(forStop: stop.description, limit: Self.candidates).found
            // Operators ignore the case of a code.
            if near.contains(where: { $0.id.code.lowercased() == stop.code.lowercased() }) { return nil }
            let names = near.map { "\($0.id) (\($0.name))" }
            let suggestion = names.isEmpty ? "" : "; did you mean \(names.joined(separator: " or "))?"
            let end = names.isEmpty ? "; search for it with" : " Search for it with"
            return
                "is not in the list of stops of \(stop.feed)\(suggestion)\(end) `boardd stops search NAME`, or fetch "
                + "a newer list with `boardd stops update`"
        } catch {
            // Without a list there is no result; `boardd stops` reports its faults.
            return nil
        }
    }
}
