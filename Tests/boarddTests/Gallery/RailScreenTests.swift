import BoardCore
import BoardFeeds
import TestOperators
import Testing
import Waiting

/// Every recording of National Rail's two services, drawn by the driver on a modelled 20x4 panel and read back from it.
@Suite("National Rail's recordings on the display", .endsHangs, .needsRecordings)
struct RailScreenTests {
    /// The screen after a recorded response.
    private func screen(_ name: String, _ service: RecordedRail.Service = .darwin) async throws -> FeedScreen? {
        guard let body = Recordings.read(name) else { return nil }
        var screen = try RecordedRail.screen(service, body)
        await screen.poll()
        return screen
    }

    @Test(
        "show trains, or that the operator reports none, or what is wrong with the response",
        arguments: RecordedRail.Service.allCases, [200, 500])
    func everyFile(service: RecordedRail.Service, status: Int) async throws {
        var boards = 0
        for name in RecordedRail.files() {
            guard let body = Recordings.read(name) else { continue }
            var screen = try RecordedRail.screen(service, status: status, body)
            let result = await screen.poll()
            let rows = screen.rows()
            let text = "\(name):\n\(screen.text())"
            try #require(rows.count == 4 && rows.allSatisfy { $0.count == 20 }, "\(text)")
            switch result {
            case .success(let response) where !response.departures.isEmpty:
                boards += 1
                // "12:45 Oxford 3    6m": the scheduled time first, the expected time or a status last.
                let words = rows[1].split(separator: " ")
                #expect(words.count >= 3 && isTime(words[0]) && isRemaining(words.last ?? ""), "\(text)")
            case .success(let response):
                boards += 1
                // The operator itself must report that there is nothing: a complete board without a row.
                let source = String(decoding: body, as: UTF8.self)
                #expect(
                    source.contains("generatedAt")
                        && !["td>", "td\"", "ta>", "ta\""].contains { source.contains("s" + $0) }, "\(text)")
                #expect(response.badRows == 0)
                #expect(rows[1] == "No departures       ", "\(text)")
                #expect(rows[0].contains(" ⚠ ") == !response.alerts.isEmpty, "\(text)")
            case .failure(let failure):
                #expect([.unreadable, .status(500)].contains(failure.kind), "\(text)")
                #expect(["check", "Check", "is down", "Retrying"].contains { failure.detail.contains($0) })
                let phrase = rows.dropFirst().joined().split(separator: " ").joined(separator: " ")
                #expect(phrase.hasPrefix("Rail"), "\(text)")
                #expect(!failure.detail.contains(service.key.value))
            }
        }
        #expect(boards == (status == 200 ? (service == .darwin ? 20 : 2) : 0))
    }

    @Test("show a busy station: late, without a platform, cancelled, three to a screen")
    func croydon() async throws {
        guard var screen = try await screen("darwin/soap_2017-10-01/GetDepBoardWithDetails.xml") else { return }
        #expect(
            screen.text() == """
                |East Croydon   22:19|
                |22:18 Ldn Br   4 due|
                |22:19 Ldn Vict 1 due|
                |22:19 Brighton  Canc|
                """)
        try await screen.step()
        #expect(
            screen.text() == """
                |hold for details    |
                |22:21 Bedford   2 1m|
                |22:22 London Br 4 2m|
                |22:22 Uckfield  6 2m|
                """)
    }

    @Test("show a disrupted morning with its notice, which a hold opens")
    func wellingborough() async throws {
        let name = "rdm/getDepBoardWithDetails_WEL_20260319_disrupted.json"
        guard var screen = try await screen(name, .marketplace) else { return }
        #expect(
            screen.text() == """
                |Wellingborou ⚠ 10:42|
                |10:41 Ldn St P 2 due|
                |10:57 Ldn St Pa Canc|
                |11:07 Corby     Canc|
                """)
        try await screen.step()
        #expect(
            screen.text() == """
                |hold for details    |
                |11:12 Ldn St P 2 29m|
                |11:16 Nottingh 1 36m|
                |11:27 Ldn St Pa Canc|
                """)
        try await screen.open()
        #expect(
            screen.text() == """
                |⚠ East Midlands     |
                |Railway services to |
                |/ from London St    |
                |Pancras             |
                """)
    }

    @Test("show a board of 2016, long before this program")
    func old() async throws {
        guard var screen = try await screen("darwin/soap_2014-2017/departure-board.xml") else { return }
        #expect(
            screen.text() == """
                |Manchester   ⚠ 11:57|
                |11:57 Middlesb 1 due|
                |11:58 Manches 13 due|
                |12:03 Preston  14 5m|
                """)
    }

    @Test("show a train after midnight as minutes")
    func gillingham() async throws {
        guard var screen = try await screen("darwin/soap_2021-11-01/GetNextDeparturesResponse.xml") else { return }
        #expect(
            screen.text() == """
                |Gillingham   ⚠ 23:47|
                |00:01 Faversha 3 13m|
                |                    |
                |                    |
                """)
    }

    @Test("show a night without trains, and that there is a notice, which a hold opens")
    func norwood() async throws {
        guard var screen = try await screen("darwin/soap_2017-10-01/GetDepartureBoard_no_services_nrcc.xml") else {
            return
        }
        #expect(
            screen.text() == """
                |Norwood Jn   ⚠ 02:33|
                |No departures       |
                |predicted           |
                |                    |
                """)
        try await screen.open()
        #expect(
            screen.text() == """
                |⚠1/2 Reduced        |
                |timetable in        |
                |operation. In line  |
                |with government     |
                """)
    }

    /// "12:45".
    private func isTime(_ word: some StringProtocol) -> Bool {
        let parts = word.split(separator: ":")
        return word.count == 5 && parts.count == 2 && parts.allSatisfy { $0.count == 2 && Int($0) != nil }
    }

    private func isRemaining(_ word: some StringProtocol) -> Bool {
        ["due", "Delay", "Canc"].contains(String(word)) || isTime(word.drop { "*?".contains($0) })
            || word.hasSuffix("m") && Int(word.drop { "*?".contains($0) }.dropLast()) != nil
    }
}
