import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("Trip details from SIRI", .endsHangs)
struct SIRITripDetailsTests {
    /// A call before or after the stop.
    private func call(_ kind: String, _ name: String, _ times: [Node]) -> Node {
        Node(kind, [Node("StopPointRef", "R-\(name)"), Node("StopPointName", name)] + times)
    }

    private func at(_ name: String, _ clock: String) -> Node { Node(name, Vale.time(clock)) }

    /// The trip of the only departure of a response, and the requests.
    ///
    /// - Parameter beside: further visits at the stop.
    private func trip(
        _ visit: Node, opened: Node? = nil, beside: [Node] = [],
        _ form: Vale.Form = .json
    ) async throws -> (TripDetails?, requested: [String]) {
        let board = Vale.body([Vale.delivery([visit] + beside)], form)
        let details = Vale.body(
            [Vale.delivery([Vale.visit("12", id: "9", expected: "08:02"), opened ?? visit] + beside)], form)
        let transport = CannedTransport { request in (200, request.contains("calls") ? details : board) }
        let feed = try Vale.make(over: transport)
        let departure = try #require(try await feed.departures(FeedRequest(stop: Vale.stop)).departures.first)
        return (try await feed.tripDetails(of: departure), transport.requested)
    }

    private func picture(_ trip: TripDetails?) -> [String] {
        trip?.calls.map { call in
            let state =
                switch call.state {
                case .expected(let time): Vale.clock(time)
                case .scheduled(let time): "*" + Vale.clock(time)
                case .called(let time): "left " + (time.map(Vale.clock) ?? "")
                case .arrived(let time): "there since " + Vale.clock(time)
                case .delayed: "delayed"
                case .cancelled: "cancelled"
                }
            return "\(call.name) \(state)"
        } ?? []
    }

    @Test("trip details have the calls before and after, fetched with another request", arguments: Vale.Form.allCases)
    func calls(_ form: Vale.Form) async throws {
        let ways = [
            Node("PreviousCalls", [call("PreviousCall", "Weir", [at("ActualDepartureTime", "07:55")])]),
            Node(
                "OnwardCalls",
                [
                    call("OnwardCall", "Park", [at("ExpectedArrivalTime", "08:07"), at("AimedArrivalTime", "08:05")]),
                    call("OnwardCall", "Church", [at("AimedDepartureTime", "08:12")]),
                    call("OnwardCall", "Nowhere", []),
                    call("OnwardCall", "Harbour", [at("ExpectedArrivalTime", "08:20")]),
                ]),
        ]
        let visit = Vale.visit(expected: "08:05", aimed: "08:03", attributes: ways)
        let (trip, requested) = try await trip(visit, form)
        #expect(
            picture(trip) == ["Weir left 07:55", "Mill Lane 08:05", "Park 08:07", "Church *08:12", "Harbour 08:20"])
        #expect(trip?.calls.map(\.code) == ["R-Weir", "S1", "R-Park", "R-Church", "R-Harbour"])
        #expect(trip.map { Vale.clock($0.madeAt) } == "07:59:40")
        #expect(trip.map { Vale.clock($0.expiresAt) } == "08:22")
        #expect(
            requested == ["/siri/sm?MonitoringRef=S1", "/siri/sm?StopMonitoringDetailLevel=calls&MonitoringRef=S1"])
    }

    @Test("trip details have the vehicle's distance, in the operator's words of either version")
    func distance() async throws {
        let first = Node("Extensions", [Node("Distances", [Node("PresentableDistance", "0.7 miles away")])])
        let second = Node("ArrivalProximityText", "approaching")
        for (reported, message) in [(first, "0.7 miles away"), (second, "approaching")] {
            let (trip, _) = try await trip(Vale.visit(aimed: "08:20", call: [reported]))
            #expect(trip?.location == message)
            #expect(picture(trip) == ["Mill Lane *08:20"])
        }
        // A vehicle without monitoring has no distance.
        let (nothing, _) = try await trip(Vale.visit(aimed: "08:20", monitored: "false", call: [first]))
        #expect(nothing == nil)
    }

    @Test("a visit that is no longer listed, or adds nothing, has no trip details")
    func gone() async throws {
        let (none, _) = try await trip(Vale.visit(expected: "08:05"))
        #expect(none == nil)
        let call = call("OnwardCall", "Park", [at("ExpectedArrivalTime", "08:07")])
        let way = [Node("OnwardCalls", [call])]
        let (other, _) = try await trip(
            Vale.visit(expected: "08:05"), opened: Vale.visit(id: "5", expected: "08:05", attributes: way))
        #expect(other == nil)
    }

    @Test("trip details belong to the departure's row if a visit is in several deliveries or calls twice")
    func twice() async throws {
        func visit(_ expected: String, _ recorded: String, aimed: String?, to next: String) -> Node {
            let way = Node("OnwardCalls", [call("OnwardCall", next, [at("ExpectedArrivalTime", "08:59")])])
            return Vale.visit(recorded: recorded, expected: expected, aimed: aimed, attributes: [way])
        }
        let old = visit("08:05", "07:50", aimed: "08:03", to: "Park")
        let new = visit("08:15", "07:59", aimed: "08:03", to: "Church")
        #expect(picture(try await trip(old, opened: old, beside: [new]).0) == ["Mill Lane 08:15", "Church 08:59"])
        let first = visit("08:05", "07:59", aimed: nil, to: "Park")
        let second = visit("08:45", "07:59", aimed: nil, to: "Church")
        // The departure that is opened is the first one.
        #expect(
            picture(try await trip(second, opened: first, beside: [second]).0) == ["Mill Lane 08:45", "Church 08:59"])
    }

    @Test("the call at the stop is arrived, cancelled or scheduled, as its row")
    func states() async throws {
        let way = [
            Node(
                "OnwardCalls",
                [call("OnwardCall", "Park", [at("ExpectedArrivalTime", "08:07"), at("AimedArrivalTime", "08:05")])])
        ]
        let there = Vale.visit(expected: "08:00", attributes: way, call: [Node("VehicleAtStop", "true")])
        #expect(picture(try await trip(there).0) == ["Mill Lane there since 07:59:40", "Park 08:07"])
        let cancelled = Vale.visit(aimed: "08:03", attributes: way + [Node("Cancellation", "true")])
        #expect(picture(try await trip(cancelled).0) == ["Mill Lane cancelled", "Park cancelled"])
        let item = Vale.visit(expected: "08:04", aimed: "08:03", attributes: way)
        let elsewhere = Node("MonitoredStopVisitCancellation", [Node("ItemRef", "I:7")])
        let named = Node("MonitoredStopVisit", [Node("ItemIdentifier", "I:7")] + item.children)
        #expect(picture(try await trip(named, beside: [elsewhere]).0) == ["Mill Lane cancelled", "Park cancelled"])
        let planned = Vale.visit(aimed: "08:03", monitored: "false", attributes: way)
        #expect(picture(try await trip(planned).0) == ["Mill Lane *08:03", "Park *08:05"])
    }
}
