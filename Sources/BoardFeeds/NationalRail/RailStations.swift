public import BoardCore
internal import BoardThreads
internal import Synchronization

/// The list of stations that a person configured: names and codes, without places and lines.
///
/// A file, or an address, of comma-separated values with a header. National Rail has no list that anybody may take
/// without a key; several projects publish one.
public final class RailStations: StopCatalogue {
    /// The most bytes of a list; the 2,900 stations have 60 kB.
    private static let limit = 1_000_000
    private static let rule =
        "must be an https address or a file of CSV, such as https://example.org/stations.csv or /etc/boardd/stations.csv"

    /// How long the codes are believed: somebody who checks their favourites asks about several in a row, and somebody
    /// who mends the list does not wait.
    private static let codesTTL: Duration = .seconds(300)

    private enum Source: Hashable, Sendable {
        case address(HTTPURL)
        case file(String)
    }

    private let place: Source
    private let transport: any HTTPTransport
    private let clock: any MachineClock
    private let known = Mutex<(codes: Set<String>, until: Instant)?>(nil)

    private init(_ place: Source, _ context: FeedContext) {
        self.place = place
        transport = context.transport
        clock = context.clock
    }

    /// The catalogue of what is configured; nil where no list is.
    ///
    /// - Throws: ``FeedSettingFailure`` where `stations` is neither an address that may be asked nor a path from the
    /// root.
    public static func configured(_ context: FeedContext) throws(FeedSettingFailure) -> RailStations? {
        guard let text = context.settings.text("stations"), !text.isEmpty else { return nil }
        if text.hasPrefix("/") { return RailStations(.file(text), context) }
        return RailStations(.address(try context.address("stations", text, rule: rule)), context)
    }

    /// Where the list is.
    var source: String {
        switch place {
        case .address(let url): url.description
        case .file(let path): path
        }
    }

    /// Reads the list, which is one page; there is nothing on the others.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage {
        guard page == 1 else { return StopPage(entries: 0) }
        let body = try await list()
        let source = source
        // Whoever takes the stops may write them to a disk.
        return try await Self.onThread {
            Result { () throws(FeedFailure) in
                let (stations, page) = try Self.read(body, from: source)
                do {
                    for station in stations { try take(station) }
                } catch {
                    throw FeedFailure(.cancelled, detail: "\(source): not taken: \(error)", requests: 0)
                }
                return page
            }
        }
    }

    /// Nothing: trains have no lines with a route of their own.
    public func route(of line: String) async throws(FeedFailure) -> LineRoute? {
        nil
    }

    /// The codes of all stations, read anew once they are some minutes old.
    func codes() async throws(FeedFailure) -> Set<String> {
        let now = clock.now()
        if let known = known.withLock(\.self), now < known.until { return known.codes }
        let codes = Set(try Self.read(try await list(), from: source).stations.map(\.id.code))
        known.withLock { $0 = (codes, now + Self.codesTTL) }
        return codes
    }

    private func list() async throws(FeedFailure) -> [UInt8] {
        switch place {
        case .file(let path):
            return try await Self.onThread {
                Result { () throws(RecordingFailure) in
                    try RecordingFiles.read(path, limit: Self.limit)
                }.mapError { FeedFailure(.unreadable, detail: "\($0)", requests: 0) }
            }
        case .address(let url):
            let request = HTTPRequest(url, limit: Self.limit)
            let (response, body) = try await transport.fetch(to: request)
            guard response.status == 200 else {
                throw FeedFailure(
                    .status(response.status),
                    detail: "\(url): status \(response.status): check stations in boardd.toml, [feed.rail]")
            }
            return body
        }
    }

    /// The stations of a list.
    ///
    /// - Throws: ``FeedFailure`` of kind `unreadable` where it has no column of names or none of codes.
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

    /// The first of the headers that has one of these names, whatever its case, blanks and signs.
    private static func column(of names: [String], in header: [String]) -> Int? {
        let folded = header.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
        return names.lazy.compactMap { folded.firstIndex(of: $0) }.first
    }

    /// Does what blocks on a thread of its own.
    private static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () -> Result<Value, FeedFailure>
    ) async throws(FeedFailure) -> Value {
        let result: Result<Value, FeedFailure>
        do {
            result = try await DedicatedThread.run("stations", body)
        } catch {
            throw FeedFailure(.cancelled, detail: "no list of stations is read: \(error)", requests: 0)
        }
        return try result.get()
    }
}
