import BoardCore
import Foundation
import Testing

@testable import BoardFleet

@Suite("A response on the broker")
struct SharedResponseTests {
    private let now = Timestamp(seconds: 1_800_000_000)
    private let stop = StopID(feed: FeedName("tfl"), code: "1")
    private let origin = SharedResponse.Origin(
        by: SimulatedFleet.name("hub"), requestedAt: Timestamp(seconds: 1_800_000_000 - 1),
        sentAt: Timestamp(seconds: 1_800_000_000), timeSource: .kernel)

    private func relayed(_ response: SharedResponse) throws -> SharedResponse {
        try JSONDecoder().decode(SharedResponse.self, from: Data(StableJSON.bytes(response)))
    }

    private func departure(_ status: Departure.Status, isRenewed: Bool = true, trip: TripAttributes? = nil) -> Departure
    {
        Departure(
            stop: stop, line: Line(id: "n109", name: "N109"), destination: "Zürich <&\"", vehicle: "LTZ1001",
            platform: "4", direction: "outbound", booked: now + .seconds(60), status: status, attributes: trip,
            fare: Fare(hundredths: 1_990, currency: "EUR"), utcOffset: 3_600, madeAt: now - .seconds(20),
            isRenewed: isRenewed, staleAt: now + .seconds(40), expiresAt: now + .seconds(300))
    }

    @Test("every fact of a response arrives at the other board, and its age")
    func everyFact() throws {
        let trip = TripAttributes(
            id: "1", company: "GWR", coaches: 8, origins: ["Reading"], via: "via Slough", reason: "snow",
            isReplacement: true, startsAt: "Ealing", endsAt: "Acton", stage: .waiting,
            returnTrip: .init(at: now, utcOffset: 3_600))
        let response = FeedResponse(
            stop: Stop(id: stop, name: "Oxford Circus", letter: "RF", zone: .utc),
            departures: [
                departure(.expected(now + .seconds(120)), trip: trip), departure(.scheduled(now + .seconds(200))),
                departure(.delayed), departure(.cancelled),
            ],
            alerts: [
                Alert("No lift", severity: .information),
                Alert("Diverted", lines: ["n109"], severity: .severe, from: now, until: now + .seconds(60)),
            ], isWithheld: true, next: .nextDay(now + .seconds(9_000)), timetableEndsAt: now + .seconds(99_000),
            partialFailure: FeedError(.status(503), detail: "no alerts", retryAfter: .seconds(30)), badRows: 3)
        let arrived = try relayed(SharedResponse(response, expiry: ExpiryPolicy(), origin)).response(
            of: stop, age: .seconds(7))
        #expect(arrived.departures.map(\.status) == response.departures.map(\.status))
        #expect(arrived.departures.map(\.attributes) == response.departures.map(\.attributes))
        #expect(arrived.departures.map(\.expiresAt) == response.departures.map(\.expiresAt))
        #expect(arrived.departures.map(\.madeAt) == response.departures.map(\.madeAt))
        #expect(arrived.departures[0] == response.departures[0])
        #expect(arrived.alerts == response.alerts)
        #expect(arrived.stop.name == "Oxford Circus" && arrived.stop.letter == "RF" && arrived.stop.zone != nil)
        #expect(arrived.isWithheld && arrived.next == response.next && arrived.badRows == 3)
        #expect(arrived.timetableEndsAt == response.timetableEndsAt)
        #expect(arrived.partialFailure?.kind == .status(503))
        #expect(arrived.age == .seconds(7) && arrived.requests == 0)
    }

    @Test("an estimate becomes stale at the same moment as on the board that received it")
    func stale() throws {
        let response = FeedResponse(stop: Stop(id: stop), departures: [departure(.expected(now + .seconds(120)))])
        let arrived = try relayed(SharedResponse(response, expiry: ExpiryPolicy(), origin)).response(
            of: stop, age: .zero)
        for seconds in [39, 40, 41] {
            let moment = now + .seconds(seconds)
            let received = response.departures[0].received(at: now, staleAfter: .seconds(180))
            #expect(arrived.departures[0].freshness(at: moment) == received.freshness(at: moment))
        }
    }

    @Test("a board whose clock is behind sends the operator's own moment of an estimate")
    func madeAtOfOperator() throws {
        var late = origin
        late.sentAt = now - .seconds(3 * 3_600)
        let response = FeedResponse(stop: Stop(id: stop), departures: [departure(.expected(now + .seconds(120)))])
        let arrived = try relayed(SharedResponse(response, expiry: ExpiryPolicy(), late)).response(of: stop, age: .zero)
        #expect(arrived.departures == response.departures)
    }

    @Test("texts of another board are as long as those of an operator, at most")
    func longTexts() throws {
        let response = FeedResponse(
            stop: Stop(id: stop),
            departures: [departure(.delayed, trip: TripAttributes(via: "via Slough", endsAt: "Acton"))])
        let text = String(
            decoding: StableJSON.bytes(SharedResponse(response, expiry: ExpiryPolicy(), origin)), as: UTF8.self)
        let long = String(repeating: "x", count: 5_000)
        let longer = text.replacing("via Slough", with: long).replacing("Acton", with: long)
        let arrived = try JSONDecoder().decode(SharedResponse.self, from: Data(longer.utf8)).response(
            of: stop, age: .zero)
        #expect(arrived.departures[0].attributes?.via == String(long.prefix(512)))
        #expect(arrived.departures[0].destination == String(long.prefix(512)))
    }

    @Test("offers that the operator does not renew stay such")
    func offers() throws {
        let response = FeedResponse(
            stop: Stop(id: stop), departures: [departure(.scheduled(now + .seconds(120)), isRenewed: false)])
        let arrived = try relayed(SharedResponse(response, expiry: ExpiryPolicy(), origin)).response(
            of: stop, age: .zero)
        #expect(arrived.departures.allSatisfy { !$0.isRenewed })
    }

    @Test(
        "a failure of the operator is one for all boards, and a failure of the board is its own",
        arguments: [
            (FeedError.Kind.status(503), false), (.unreadable, false), (.unknownStop, false), (.noNetwork, true),
            (.timedOut, true), (.keyRejected, true), (.keyMissing, true), (.certificateDate, true),
            (.certificate, true),
            (.rateLimited(retryAfter: .seconds(60)), true),
        ])
    func failure(kind: FeedError.Kind, isOwn: Bool) throws {
        let failure = FeedError(kind, detail: "TfL: failed", retryAfter: .seconds(7_200))
        let arrived = try relayed(SharedResponse(failure, of: stop, origin))
        #expect(arrived.isOwnFailure == isOwn)
        let error = #expect(throws: FeedError.self) { try arrived.response(of: stop, age: .zero) }
        #expect(error?.detail == "TfL: failed (by hub)")
        #expect((error?.retryAfter ?? .zero) <= .seconds(300))
        #expect(error?.requests == 0)
    }
}
