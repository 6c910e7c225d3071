internal import BoardControl
internal import BoardCore
internal import BoardStore
internal import BoardThreads

/// Finds out where a line runs: which line is meant is known to the stop directory, its way to the operator.
struct LineRouteLookup: Sendable {
    /// How many candidates a refusal names.
    private static let candidates = 3

    let directory: StopDirectory
    let catalogue: DirectoryService.Source

    /// The route of a line by its name or identifier, in any case.
    func route(of text: String, feed: FeedName) async throws(ControlError) -> LineRoute {
        let directory = directory
        let (line, near): (DirectoryLine?, [DirectoryLine])
        do throws(ThreadFailure) {
            (line, near) = try await DedicatedThread.run("look") {
                (
                    try? directory.line(called: text, in: feed),
                    (try? directory.candidates(forLine: text, in: feed, limit: Self.candidates).found) ?? []
                )
            }
        } catch {
            throw ControlError(.failed, "\(error)")
        }
        let source: any StopCatalogue
        do {
            guard let made = try catalogue(feed) else {
                throw ControlError(.notFound, "\(feed) is no feed that tells where its lines run")
            }
            source = made
        } catch let refusal as ControlError {
            throw refusal
        } catch {
            throw ControlError(.failed, "\(error)")
        }
        do throws(FeedFailure) {
            if let route = try await source.route(of: line?.line.line.id ?? text) { return route }
        } catch {
            throw ControlError(error)
        }
        throw ControlError(
            .notFound, "\(feed) knows no line \"\(text)\"",
            candidates: near.map { Candidate(id: "\($0.feed):\($0.line.line.id)", name: $0.line.line.name) })
    }
}
