internal import BoardControl
internal import BoardCore
internal import BoardIO
internal import BoardStore

/// Finds the route of a line: the stop directory resolves the line, its operator reports the route.
struct LineRouteLookup: Sendable {
    /// The number of candidates an error lists.
    private static let candidates = 3

    let directory: StopDirectory
    let catalogue: DirectoryService.CatalogueSource

    /// The route of a line by its name or identifier, in any case.
    func route(of text: String, feed: FeedName) async throws(ControlError) -> LineRoute {
        let directory = directory
        let (line, near): (DirectoryLine?, [DirectoryLine])
        do throws(ThreadFailure) {
            (line, near) = try await DedicatedThread.run("directory") {
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
                throw ControlError(.notFound, "feed \(feed) has no line routes")
            }
            source = made
        } catch let error as ControlError {
            throw error
        } catch {
            throw ControlError(.failed, "\(error)")
        }
        do throws(FeedFailure) {
            if let route = try await source.route(of: line?.line.line.id ?? text) { return route }
        } catch {
            throw ControlError(error)
        }
        throw ControlError(
            .notFound, "\(feed): no line \"\(text)\"",
            candidates: near.map { Candidate(id: "\($0.feed):\($0.line.line.id)", name: $0.line.line.name) })
    }
}
