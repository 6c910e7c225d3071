internal import BoardCore
internal import BoardStore

/// Finds stops that do not exist before their operator is asked, which may answer that as if it had an outage.
struct StopListCheck: Sendable {
    /// How many candidates are named.
    private static let candidates = 3

    private let directory: StopDirectory

    /// Looks into the files of `directory`, those that there are.
    init(in directory: StopDirectory) {
        self.directory = directory
    }

    /// What is wrong with a stop, as the end of a sentence that begins with it; nil where its feed's list has it, and
    /// where there is no list that could say. Blocks for as long as a few queries take.
    @Sendable func missingStopReason(about stop: StopID) -> String? {
        do throws(DirectoryFailure) {
            guard try directory.stop(stop) == nil else { return nil }
            let near = try directory.candidates(forStop: stop, limit: Self.candidates).found
            // Operators do not mind the case of a code.
            if near.contains(where: { $0.id.code.lowercased() == stop.code.lowercased() }) { return nil }
            let names = near.map { "\($0.id) (\($0.name))" }
            let question = names.isEmpty ? "" : "; did you mean \(names.joined(separator: " or "))?"
            let end = names.isEmpty ? "; look for it with" : " Look for it with"
            return "is not in the list of stops of \(stop.feed)\(question)\(end) `boardd stops search NAME`, or fetch "
                + "a newer list with `boardd stops update`"
        } catch {
            // Without a list nothing can be said; `boardd stops` says what is wrong with one.
            return nil
        }
    }
}
