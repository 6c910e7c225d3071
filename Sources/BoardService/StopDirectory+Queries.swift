package import BoardCore
internal import BoardIO
package import BoardStore

extension StopDirectory {
    /// Runs a query on a thread of its own.
    package func read<Value: Sendable>(
        _ query: @escaping @Sendable (StopDirectory) throws(DirectoryFailure) -> Value
    ) async throws(ServiceError) -> Value {
        try await DedicatedThread.attempt { () throws(ServiceError) in
            do throws(DirectoryFailure) {
                return try query(self)
            } catch {
                throw ServiceError(error)
            }
        }
    }

    /// The fault of a stop, as the end of a sentence that begins with it; nil where its feed's list has the stop, or where
    /// there is no list. An operator may respond to an unknown stop as in an outage. Blocks for a few queries.
    package func missingReason(of stop: StopID) -> String? {
        do throws(DirectoryFailure) {
            guard try self.stop(stop) == nil else { return nil }
            let near = try candidates(forStop: stop.description, limit: Candidate.maximumCount).found
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
