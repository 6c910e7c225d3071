public import BoardCore

extension Configuration {
    /// The names of all feeds for messages: first those that favourites use or the files configure, last `FAMILY.NAME` for each
    /// family.
    public func feedNames(of declarations: FeedDeclarations) -> [String] {
        let used = Set(favourites.map(\.stop.feed))
        let unused = declarations.feeds.filter { declaration in
            !used.contains(declaration.name)
                && feeds[declaration.name].map { $0 == FeedSettings(defaultsOf: declaration) } ?? true
        }.map(\.name.description)
        // A member of a family has a table, or it is no feed.
        let configured = feeds.keys.map(\.description).filter { !unused.contains($0) }.sorted()
        return configured + unused + declarations.families.map(\.placeholder)
    }
}
