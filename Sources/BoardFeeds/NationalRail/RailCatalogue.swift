public import BoardCore
import BoardIO
import Synchronization

/// The configured list of stations: names and codes, without coordinates or lines.
///
/// A file or a URL of comma-separated values with a header. National Rail has no list that is free and needs no key;
/// several projects publish one.
public final class RailCatalogue: StopCatalogue {
    /// The most bytes of a list; the 2,900 stations have 60 kB.
    private static let maximumSize = 1_000_000
    /// What the thread does, for the error when none can start.
    private static let work = "reading the station list"
    private static let rule =
        "must be an https address or a CSV file, such as https://example.org/stations.csv or /etc/boardd/stations.csv"

    /// How long the codes are cached: long enough to check several favourites, short enough that an edit of the list
    /// takes effect.
    private static let codesTTL: Duration = .seconds(300)

    let source: GTFSSource
    private let transport: any HTTPTransport
    private let cachedCodes: ResponseCache<Set<String>>

    /// The catalogue of the configured list; nil if there is none.
    public init?(_ context: FeedContext) throws(FeedSettingError) {
        guard let text = context.settings.nonEmptyText("stations") else { return nil }
        source = text.hasPrefix("/") ? .file(text) : .address(try context.address("stations", text, rule: Self.rule))
        transport = context.transport
        cachedCodes = ResponseCache(ttl: Self.codesTTL, backOff: .zero, clock: context.clock)
    }

    /// Reads the list, which is page 1; further pages are empty.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedError) -> StopPage {
        guard page == 1 else { return StopPage(entries: 0) }
        let (stations, page) = try Self.read(try await list(), from: source.description)
        try await Self.emit(stations, from: source, to: take)
        return page
    }

    /// The codes of all stations, cached for ``codesTTL``; nil if the list is unavailable.
    func codes() async -> Set<String>? {
        let lookup = await cachedCodes.value("") {
            Set(try Self.read(try await self.list(), from: self.source.description).stations.map(\.id.code))
        }
        return lookup.failure == nil ? lookup.value : nil
    }

    private func list() async throws(FeedError) -> [UInt8] {
        switch source {
        case .file(let path):
            return try await DedicatedThread.run("stations", Self.work) {
                try RecordingFiles.read(path, limit: Self.maximumSize)
            } failure: {
                FeedError(.unreadable, detail: "\($0)")
            }
        case .address(let url):
            return try await ResponseStatusPolicy(settings: "stations in boardd.toml, [feed.rail]").read(
                HTTPRequest(url, limit: Self.maximumSize), over: transport
            ) { body, _ in body }
        }
    }

    /// Parses a list.
    ///
    /// - Throws: ``FeedError`` of kind `unreadable` if the column of names or of codes is missing.
    static func read(
        _ body: [UInt8], from source: String
    ) throws(FeedError) -> (stations: [ListedStop], page: StopPage) {
        do throws(TableError) {
            var table = try Table(source, MemoryBytes(body)) { header throws(TableError) in
                let name = column(of: ["stationname", "station", "name"], in: header)
                let code = column(of: ["crscode", "crs", "3alpha", "threealpha", "stationcode", "code"], in: header)
                if let name, let code { return [name, code] }
                let found = header.isEmpty ? "nothing" : "\"\(header.joined(separator: ",").prefix(60))\""
                throw TableError(
                    file: source,
                    detail: "found \(found) where a line with the columns stationName and crsCode was expected")
            }
            var stations: [ListedStop] = []
            var entries = 0
            while try table.next() {
                entries += 1
                let crs = table.text(1).uppercased()
                guard !table.row[0].isEmpty, NationalRailFeed.isCode(crs) else { continue }
                stations.append(
                    ListedStop(
                        id: StopID(feed: NationalRailFeed.name, code: crs), kind: .station, name: table.text(0),
                        modes: ["train"]))
            }
            return (stations, StopPage(entries: entries, badRows: entries - stations.count, total: entries))
        } catch {
            throw FeedError(.unreadable, detail: error.description)
        }
    }

    /// The column of the first of these names in the header, ignoring case, blanks and punctuation.
    private static func column(of names: [String], in header: [String]) -> Int? {
        let folded = header.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
        return names.lazy.compactMap { folded.firstIndex(of: $0) }.first
    }
}
