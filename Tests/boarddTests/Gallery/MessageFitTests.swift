import BoardDisplays
import BoardFeeds
import BoardIO
import BoardStore
import PanelModel
import Testing

@testable import BoardCore
@testable import boardd

@Suite("A message about an operator")
struct MessageFitTests {
    private static let kinds: [FeedError.Kind] = [
        .noNetwork, .timedOut, .status(500), .unreadable, .rateLimited(retryAfter: nil), .certificate, .certificateDate,
        .keyRejected, .keyMissing, .unknownStop,
    ]
    private static let sizes = [DisplaySize(columns: 16, rows: 1)] + DisplaySize.lcd

    /// The declarations of every operator, and one with a name that is too long for a display.
    private func profiles() throws -> [FeedProfile] {
        let known = try FeedFactory(source: .live(record: nil), clock: SystemClock()).feeds(Configuration()).values.map(
            \.profile)
        #expect(known.count >= 2)
        let long = FeedProfile(
            name: FeedName("long"), title: "Verkehrsverbund Ost-Region", attribution: "",
            suffixes: [], interval: .seconds(30), quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))
        return known + [long]
    }

    private func trimmed(_ row: String) -> String { String(row.reversed().drop { $0 == " " }.reversed()) }

    @Test("fits on every size, in every language and with both clocks", arguments: Language.allCases)
    func whole(language: Language) throws {
        for profile in try profiles() {
            let (title, words) = (profile.shortTitle, language.words)
            let stop = Stop(id: StopID(feed: profile.name, code: "1"))
            let notices: [Notice] = [
                .frozen(title, since: GalleryState.start), .withheld(title),
                .next(.nextDay(GalleryState.start), from: stop),
                .notBefore(GalleryState.start, from: stop), .timetableEnded(title, GalleryState.start, at: stop),
            ]
            // The longest day and time that occur.
            let months = words[.months].map { words(.date, code: "31", word: $0).joined() }
            #expect(months.count == 12)
            for notice in notices {
                let forms = notice.forms(words) { _, _ in
                    "12:04" + words.text(.afterNoon)
                } days: { _, _ in
                    [months.max { $0.count < $1.count } ?? ""].flatMap { ["Mon " + $0, $0] }
                }
                for size in Self.sizes { #expect(forms.contains { $0.count <= size.columns }) }
            }
            for size in Self.sizes {
                for clock in BoardOptions.ClockStyle.allCases {
                    for kind in Self.kinds { try expectWhole(kind, profile, language, size, clock) }
                }
            }
        }
    }

    private func expectWhole(
        _ kind: FeedError.Kind, _ profile: FeedProfile, _ language: Language, _ size: DisplaySize,
        _ clock: BoardOptions.ClockStyle
    ) throws {
        let stop = StopID(feed: profile.name, code: "1")
        var options = BoardOptions()
        options.language = language
        options.rotation = .off
        options.clock = clock
        let setup = Board.Setup(
            options: options, favourites: [Favourite(stop: stop)], profiles: [profile.name: profile], size: size,
            zone: .utc)
        var now = Instant(microseconds: 50_000_000)
        var board = Board(setup, reading: .init(wall: GalleryState.start, isSynchronised: true), seed: 1, at: now)
        now = now + .seconds(3)
        let due = GalleryState.start + .seconds(3_000)
        let bus = Departure(
            stop: stop, line: Line(id: "1", name: "1"), destination: "Bow", status: .expected(due),
            madeAt: GalleryState.start,
            expiresAt: due)
        _ = board.handle(.polled(FeedResponse(stop: Stop(id: stop), departures: [bus])), at: now)
        for _ in 0..<3 {
            now = now + .seconds(1)
            _ = board.handle(.failed(stop, FeedError(kind, detail: "")), at: now)
        }
        let notice = try #require(board.notice(at: now))
        let forms = Drawing(of: board, at: now).forms(of: notice)
        // It has its turn in the first row, or as a page.
        let texts = Set(
            (0..<6).map { beat in
                let lines = board.render(at: now + .seconds(3 * beat)).frame.lines.map(trimmed)
                return (board.hasHeader ? Array(lines.prefix(1)) : lines).filter { !$0.isEmpty }.joined(separator: " ")
            })
        #expect(
            texts.contains { text in forms.contains { $0.replacing("\n", with: " ") == text } },
            "\(profile.title), \(language), \(size): \(texts), wanted one of \(forms)")
    }
}
