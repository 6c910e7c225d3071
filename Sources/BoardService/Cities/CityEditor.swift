package import BoardCore
internal import BoardIO
package import BoardStore

/// Adds cities of the shipped list to a configuration, and removes them: each is a file in feeds.d.
package struct CityEditor: Sendable {
    private let configuration: Configuration
    private let source: ConfigurationSource

    /// - Parameter configuration: that of `source`, as far as it is readable.
    package init(_ configuration: Configuration, of source: ConfigurationSource) {
        self.configuration = configuration
        self.source = source
    }

    /// Writes the table of a city.
    ///
    /// - Parameters:
    ///   - name: the last part of its feed's name; nil: the list's.
    ///   - isMirrored: whether to use the catalogue's copy of the timetable in any case.
    /// - Throws: ``ServiceError`` where the feed is configured already, or the file cannot be written.
    package func add(_ city: City, as name: String?, isMirrored: Bool) throws(ServiceError) -> (CityTable, path: String)
    {
        let name = name ?? city.name
        guard FeedFamily.isName(name) else {
            throw ServiceError(
                .malformed, "\"\(name)\" must be small letters, digits and hyphens, such as \(city.name)")
        }
        let table = CityTable(city, named: name, isMirrored: isMirrored)
        let path = path(of: name)
        // The same city may be added again, from a newer list or from the mirror.
        let isUpdate = firstLine(path) == table.firstLine
        guard isUpdate || configuration.feeds[table.feed] == nil && !exists(path) else {
            throw ServiceError(
                .conflict,
                "\(exists(path) ? path : "\(table.feed)") is there already; use --as NAME for another name, or remove it first"
            )
        }
        do throws(FileFailure) {
            try WrittenFile.write(Array(table.text.utf8), to: path)
        } catch {
            throw ServiceError(FavouritesFailure.file(error))
        }
        return (table, path)
    }

    /// Removes a city that ``add(_:as:isMirrored:)`` wrote; returns its feed.
    ///
    /// - Throws: ``ServiceError`` where favourites use it, or another program wrote its table.
    package func remove(_ text: String) throws(ServiceError) -> FeedName {
        let name = text.hasPrefix("gtfs.") ? String(text.dropFirst("gtfs.".count)) : text
        let feed = FeedName("gtfs.\(name)")
        let path = path(of: name)
        guard FeedFamily.isName(name), isOwn(path) else {
            throw ServiceError(
                .notFound,
                configuration.feeds[feed] == nil
                    ? "there is no city \"\(name)\" in \(source.path(of: "feeds.d"))"
                    : "\(feed) was not added by `boardd cities add`: remove its table by hand")
        }
        let used = configuration.favourites.filter { $0.stop.feed == feed }.map(\.stop.description)
        guard used.isEmpty else {
            throw ServiceError(
                .conflict,
                "\(feed) has favourites: remove them first, with boardd favourites remove \(used.joined(separator: " "))"
            )
        }
        do throws(FileFailure) {
            try WrittenFile.remove(path)
        } catch {
            throw ServiceError(FavouritesFailure.file(error))
        }
        return feed
    }

    private func path(of name: String) -> String { source.path(of: "feeds.d/\(name).toml") }

    private func isOwn(_ path: String) -> Bool { firstLine(path).hasPrefix(CityTable.mark) }

    private func exists(_ path: String) -> Bool { (try? SmallFile.read(path, limit: 1)) != nil }

    /// The first line of a file; empty where it cannot be read.
    private func firstLine(_ path: String) -> String {
        let text = (try? SmallFile.read(path, limit: 1_000).text) ?? ""
        return String(text.prefix { !$0.isNewline })
    }
}
