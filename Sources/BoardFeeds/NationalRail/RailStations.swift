public import BoardCore
internal import BoardFormats
internal import BoardIO
internal import Synchronization

/// The configured list of stations: names and codes, without coordinates and lines.
///
/// A file or a URL of comma-separated values with a header. National Rail has no list that is free without a key; several
/// projects publish one.
public final class RailStations: StopCatalogue {
    /// The most bytes of a list; the 2,900 stations have 60 kB.
    private static let limit = 1_000_000
    private static let rule =
        "must be an https address or a file of CSV, such as https://example.org/stations.csv or /etc/boardd/stations.csv"

    /// How long the codes are cached: long enough for a check of several favourites, short enough that an edit of the list
    /// takes effect.
    private static let codesTTL: Duration = .seconds(300)

    private enum Source: Hashable, Sendable {
        case address(HTTPURL)
        case file(String)
    }

    private let location: Source
    private let transport: any HTTPTransport
    private let clock: any MachineClock
    private let cachedCodes = Mutex<(codes: Set<String>, until: Instant)?>(nil)

    private init(_ location: Source, _ context: FeedContext) {
        self.location = location
        transport = context.transport
        clock = context.clock
    }

    /// The catalogue of the configured list; nil if there is none.
    ///
    /// - Throws: ``FeedSettingFailure`` if `stations` is neither an allowed URL nor an absolute path.
    public static func configured(_ context: FeedContext) throws(FeedSettingFailure) -> RailStations? {
        guard let text = context.settings.text("stations"), !text.isEmpty else { return nil }
        if text.hasPrefix("/") { return RailStations(.file(text), context) }
        return RailStations(.address(try context.address("stations", text, rule: rule)), context)
    }

    /// The URL or path of the list.
    var source: String {
        switch location {
        case .address(let url): url.description
        case .file(let path): path
        }
    }

    /// Reads the list, which is page 1; further pages are empty.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage {
        guard page == 1 else { return StopPage(entries: 0) }
        let body = try await list()
        let source = source
        // `take` may write to a disk.
        return try await Self.onThread {
            Result { () throws(FeedFailure) in
                let (stations, page) = try Self.read(body, from: source)
                do {
                    for station in stations { try take(station) }
                } catch {
                    throw FeedFailure(.cancelled, detail: "\(source): reading stopped: \(error)", requests: 0)
                }
                return page
            }
        }
    }

    /// Always nil: trains have no lines with a route of their own.
    public func route(of line: String) async throws(FeedFailure) -> LineRoute? {
        nil
    }

    /// The codes of all stations, cached for ``codesTTL``.
    func codes() async throws(FeedFailure) -> Set<String> {
        let now = clock.now()
        if let cached = cachedCodes.withLock(\.self), now < cached.until { return cached.codes }
        let codes = Set(try Self.read(try await list(), from: source).stations.map(\.id.code))
        cachedCodes.withLock { $0 = (codes, now + Self.codesTTL) }
        return codes
    }

    private func list() async throws(FeedFailure) -> [UInt8] {
        switch location {
        case .file(let path):
            return try await Self.onThread {
                Result { () throws(RecordingFailure) in
                    try RecordingFiles.read(path, limit: Self.limit)
                }.mapError { FeedFailure(.unreadable, detail: "\($0)", requests: 0) }
            }
        case .address(let url):
            let request = HTTPRequest(url, limit: Self.limit)
            let (response, body) = try await transport.fetch(request)
            guard response.status == 200 else {
                throw FeedFailure(
                    .status(response.status),
                    detail: "\(url): status \(response.status): check stations in boardd.toml, [feed.rail]")
            }
            return body
        }
    }

    /// Parses a list.
    ///
    /// - Throws: ``FeedFailure`` of kind `unreadable` if a column of names or of codes is missing.
    static func read(
        _ body: [UInt8], from source: String
    ) throws(FeedFailure) -> (stations: [ListedStop], page: StopPage) {
        do throws(GTFSFailure) {
            return try read(
                Table(source, MemoryBytes(body)) { header in
                    let name = column(of: ["stationname", "station", "name"], in: header)
                    let code = column(
                        of: ["crscode", "crs", "3alpha", "threealpha", "stationcode", "code"], in: header)
                    return (["stationName", "crsCode"], name == nil || code == nil ? [] : [name, code])
                })
        } catch {
            throw FeedFailure(.unreadable, detail: error.description)
        }
    }

    private static func read(
        _ table: consuming Table
    ) throws(GTFSFailure) -> (stations: [ListedStop], page: StopPage) {
        guard table.hasColumns else {
            let header = table.header
            let found = header.isEmpty ? "nothing" : "\"\(header.joined(separator: ",").prefix(60))\""
            throw GTFSFailure(
                kind: .noColumn, file: table.name,
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
    }

    /// The first header with one of these names, ignoring case, blanks and punctuation.
    private static func column(of names: [String], in header: [String]) -> Int? {
        let folded = header.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
        return names.lazy.compactMap { folded.firstIndex(of: $0) }.first
    }

    /// Runs blocking code on a thread of its own.
    private static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () -> Result<Value, FeedFailure>
    ) async throws(FeedFailure) -> Value {
        let result: Result<Value, FeedFailure>
        do {
            result = try await DedicatedThread.run("stations", body)
        } catch {
            throw FeedFailure(.cancelled, detail: "reading the station list failed: \(error)", requests: 0)
        }
        return try result.get()
    }
}
