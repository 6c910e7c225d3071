public import BoardCore

/// The pages that a client can turn to, by their identifiers or titles: the overview and the stops.
public struct BoardPages: Hashable, Sendable {
    private let pages: [BoardState.Page]

    public init(_ pages: [BoardState.Page]) {
        self.pages = pages.filter { $0.id != BoardState.Page.address }
    }

    /// A name for each page, in order: its title; with the identifier, where several pages have the title.
    public var names: [String] { pages.map(name) }

    /// Nil: it is no page that a client can turn to.
    public func name(of id: String) -> String? { pages.first { $0.id == id }.map(name) }

    /// The page of an identifier, of a name or of a title that only one page has; case is ignored. Nil: the overview.
    ///
    /// - Throws: ``ServiceError`` with the candidates.
    public func stop(called text: String) throws(ServiceError) -> StopID? {
        let folded = text.lowercased()
        let found = pages.filter { $0.id == text || name($0) == text }
        let similar = pages.filter { [$0.id, $0.title, name($0)].contains { $0.lowercased() == folded } }
        guard let page = found.first ?? similar.first, found.count == 1 || similar.count == 1 else {
            let others = (similar.isEmpty ? pages : similar).prefix(Candidate.maximumCount).map {
                Candidate(id: $0.id, name: $0.title)
            }
            let quoted = "\"\(text.asPrintedLine)\""
            throw similar.isEmpty
                ? ServiceError(
                    .notFound, "there is no page \(quoted); boardd status --json lists the pages", candidates: others)
                : ServiceError(.invalid, "several pages have the title \(quoted)", candidates: others)
        }
        return StopID(page.id)
    }

    private func name(_ page: BoardState.Page) -> String {
        let isUnique = !pages.contains { $0.title == page.title && $0.id != page.id }
        return isUnique ? page.title : "\(page.title) (\(page.id))"
    }
}
