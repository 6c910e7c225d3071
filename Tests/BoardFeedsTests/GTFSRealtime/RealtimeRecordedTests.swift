import BoardCore
import SwiftProtobuf
import TestOperators
import Testing
import TransitRealtime

@testable import BoardFeeds

@Suite("GTFS-Realtime: recordings", .needsRecordings)
struct RealtimeRecordedTests {
    static let messages = [
        "bibus-brest-alerts", "mta_feed_message", "nyct/1707398184.ace", "nyct/gtfs-si-20231019-073001",
        "nyct/nyct_2024-03-19T003506-0400", "nyct/nyct_subways_gtfs_rt", "transitland/bart-alerts",
        "transitland/bart-trip-updates", "transitland/ct-service-alerts", "transitland/ct-vehicle-positions",
        "transitland/example", "transitland/hart-trip-updates", "wmata/0004.wmata", "wmata/0009.wmata",
    ]

    /// The recordings in JSON and text.
    static let texts = [
        "soundtransit/TripUpdate-DUPLICATED-1690679342.json", "soundtransit/trip_update_1683740698.json",
        "soundtransit/trip_update_1683746223_bad.json", "soundtransit/vehicle_position_1683740698.json",
        "spec_alerts.asciipb", "spec_trip-updates-full.asciipb", "transitland/bart-alerts.pb.json",
        "transitland/ct-service-alerts.pb.json", "transitland/ct-vehicle-positions.pb.json",
        "transitland/invalid.pb", "wmata/2359.json", "wmata/2400.json", "wmata/2445.json",
    ]

    private func recording(_ name: String, _ entityFilter: RealtimeFilter? = nil) throws -> RealtimeMessage? {
        try Recordings.read("gtfs-rt/\(name).pb").map { try RealtimeMessage($0, entityFilter: entityFilter) }
    }

    /// Messages, and the timetable of all their stops.
    private func over(_ archive: String, _ names: String...) throws -> (
        index: RealtimeIndex, messages: [RealtimeMessage]
    )? {
        let messages = try names.compactMap { try recording($0) }
        guard messages.count == names.count, let index = try index(archive, messages) else { return nil }
        return (index, try names.compactMap { try recording($0, index.entityFilter) })
    }

    /// The stop IDs of a message.
    private func stops(of message: RealtimeMessage, _ index: RealtimeIndex) -> Set<String> {
        Set(message.trips.flatMap(\.stops).compactMap(\.place).map { index.timetable.places[$0].id })
    }

    /// The index of a recorded timetable for all stops in these messages.
    private func index(_ archive: String, _ messages: [RealtimeMessage]) throws -> RealtimeIndex? {
        try index(archive, stops: Set(messages.flatMap(\.trips).flatMap(\.unknownStops)).sorted())
    }

    /// The index of a recorded timetable for some stops.
    private func index(_ archive: String, stops: [String]) throws -> RealtimeIndex? {
        guard Recordings.read("gtfs/\(archive).zip") != nil else { return nil }
        let (timetable, _) = try TimetableReader.read(
            GTFSArchive(path: Recordings.folder + "/gtfs/\(archive).zip"), stops: stops
        ) { name throws(FeedSettingError) in
            let rules = ["America/Los_Angeles": "PST8PDT,M3.2.0,M11.1.0", "America/New_York": "EST5EDT,M3.2.0,M11.1.0"]
            guard let rule = rules[name], let zone = try? Zone(posix: rule) else {
                throw FeedSettingError(setting: "zone", detail: name)
            }
            return zone
        }
        return RealtimeIndex(timetable, stops: stops)
    }

    @Test("every recorded message is decoded like SwiftProtobuf does", arguments: RealtimeRecordedTests.messages)
    func asTheLibrary(_ name: String) throws {
        guard let body = Recordings.read("gtfs-rt/\(name).pb") else { return }
        let read = try RealtimeMessage(body)
        let reference = try TransitRealtime_FeedMessage(serializedBytes: body)
        #expect(read.badEntities == 0 && read.entities == reference.entity.count)
        #expect(read.madeAt?.seconds == Int64(reference.header.timestamp))
        let time = Timestamp(realtime: reference.header.timestamp)
        #expect(
            read.vehicles
                == reference.entity.filter(\.hasVehicle).map { VehiclePosition(witness: $0.vehicle, message: time) })
        #expect(read.alerts == reference.entity.filter(\.hasAlert).map { RealtimeAlert(witness: $0.alert) })
        let updates = reference.entity.filter(\.hasTripUpdate)
        #expect(read.trips.count == updates.count)
        for (own, entity) in zip(read.trips, updates) {
            let update = entity.tripUpdate
            #expect(own.entity == entity.id && own.trip == TripDescriptor(witness: update.trip))
            #expect(own.vehicle == update.vehicle.name)
            #expect(own.headsign ?? "" == update.tripProperties.tripHeadsign.plainText)
            #expect(own.newID ?? "" == update.tripProperties.tripID)
            #expect(own.newDay == CivilDate(gtfs: update.tripProperties.startDate))
            #expect(own.newStart == TripDescriptor.seconds(update.tripProperties.startTime))
            #expect(own.delay == (update.hasDelay ? Int(update.delay) : nil))
            #expect(own.madeAt?.seconds == Int64(update.hasTimestamp ? update.timestamp : reference.header.timestamp))
            #expect(own.stops.count == update.stopTimeUpdate.count)
            for (stop, call) in zip(own.stops, update.stopTimeUpdate) {
                #expect(own.unknownStop(of: stop) == call.stopID)
                #expect(stop.sequence == (call.hasStopSequence ? Int(call.stopSequence) : nil))
                #expect(stop.arrival.time?.seconds ?? 0 == call.arrival.time)
                #expect(stop.departure.time?.seconds ?? 0 == call.departure.time)
                #expect(stop.arrival.delay == (call.arrival.hasDelay ? Int(call.arrival.delay) : nil))
                #expect(stop.departure.delay == (call.departure.hasDelay ? Int(call.departure.delay) : nil))
                #expect(stop.relationship == .scheduled)
            }
        }
    }

    @Test(
        "a body that is not protobuf is rejected, and the error names what it is",
        arguments: RealtimeRecordedTests.texts
    )
    func notProtobuf(_ name: String) throws {
        guard let body = Recordings.read("gtfs-rt/\(name)") else { return }
        let error = try #require(#expect(throws: FormatError.self, "\(name) was read") { try RealtimeMessage(body) })
        if name.hasSuffix(".json") {
            #expect(error.description == "found JSON where a GTFS-Realtime message was expected")
        } else {
            #expect(error.description.hasPrefix("found \""))
        }
    }

    @Test("BART: 26 of 26 trips, and 65 of 91 with 8 added ones, are scheduled trips")
    func bart() throws {
        guard
            let (index, messages) = try over(
                "transitland_bart-rt_static", "transitland/example", "transitland/bart-trip-updates")
        else { return }
        let (example, later) = (messages[0], messages[1])
        let first = RealtimeOverlay([example], over: index, now: try #require(example.madeAt))
        #expect(first.overlaid.count == 26)
        #expect(first.trips.count == 26)
        #expect(first.trips.allSatisfy { $0.badUpdates == 0 })
        let second = RealtimeOverlay([later], over: index, now: try #require(later.madeAt))
        #expect(second.overlaid.count == 65)
        #expect(later.trips.filter { $0.trip.relationship == .added }.count == 8)
        #expect(second.trips.filter(\.isUnknownTrip).count == 91 - 65 - 8)
        // All of them give departures, except those with only the last stop left; unknown trips have lines and headsigns, too.
        let now = try #require(later.madeAt)
        let stops = stops(of: later, index)
        let rows = stops.flatMap { code in
            second.departures(at: StopID(feed: Town.feed, code: code), now: now, ahead: .seconds(14_400))
        }
        let live = rows.filter { if case .expected = $0.status { true } else { false } }
        let trips = Set(live.compactMap { $0.attributes?.id.flatMap(TripInstanceID.init)?.trip })
        #expect(trips.isSuperset(of: later.trips.filter { $0.stops.count > 1 }.map(\.trip.id)))
        #expect(rows.allSatisfy { !$0.line.name.isEmpty && !$0.destination.isEmpty })
        // Each updated stop, except a trip's last, has the updated time, and no other departure of the trip. One trip has times that go back.
        let due = Dictionary(
            grouping: live, by: { "\($0.attributes?.id.flatMap(TripInstanceID.init)?.trip ?? "") \($0.stop.code)" })
        var (compared, moved) = (0, 0)
        for update in later.trips {
            for stop in update.stops.dropLast() {
                let place = try #require(stop.place)
                guard let time = stop.departure.time ?? stop.arrival.time, time + .seconds(30) > now else { continue }
                let code = index.timetable.places[place].id
                let found = due["\(update.trip.id) \(code)"]?.map(\.due) ?? []
                #expect(found.count == 1 && found[0] >= time, "\(update.trip.id) \(code)")
                if found == [time] { compared += 1 } else { moved += 1 }
            }
        }
        #expect(compared > 500 && moved == 4)
    }

    @Test("every live departure of BART equals a plain evaluation of the message")
    func bartRows() throws {
        guard let (index, messages) = try over("transitland_bart-rt_static", "transitland/example") else { return }
        let message = messages[0]
        let now = try #require(message.madeAt)
        let overlay = RealtimeOverlay([message], over: index, now: now)
        // All departures, in the plainest way: no trip of BART calls at a stop twice.
        var expected: [String: [Int64]] = [:]
        for update in message.trips {
            let trip = try #require(index.timetable.trip(update.trip.id))
            let calls = index.timetable.calls(of: trip)
            // 28 May 2019, midnight in San Francisco.
            let start = 1_559_026_800 - 86_400 + Int64(index.timetable.trips[trip].start)
            var late: Int64?
            for call in calls.dropLast() {
                let code = index.timetable.places[Int(call.place)].id
                let booked = start + Int64(call.departure)
                if let stop = update.stops.first(where: { $0.place == Int(call.place) }) {
                    let time = try #require(stop.departure.time).seconds
                    late = time - booked
                }
                if let late, booked + late + 30 > now.seconds { expected[code, default: []].append(booked + late) }
            }
        }
        for code in stops(of: message, index) {
            let rows = overlay.departures(at: StopID(feed: Town.feed, code: code), now: now, ahead: .seconds(86_400))
            let live = rows.compactMap { if case .expected(let time) = $0.status { time.seconds } else { nil } }
            #expect(live.sorted() == (expected[code] ?? []).sorted(), "\(code)")
        }
    }

    @Test("Washington at 00:04: of nine scheduled trips three have yesterday's date and six today's")
    func midnight() throws {
        guard let (index, messages) = try over("wmata_service_day_4_cut", "wmata/0004.wmata") else { return }
        let message = messages[0]
        let now = try #require(message.madeAt)
        let overlay = RealtimeOverlay([message], over: index, now: now)
        let scheduledUpdates = message.trips.filter { index.timetable.trip($0.trip.id) != nil }
        #expect(scheduledUpdates.count == 9)
        #expect(scheduledUpdates.filter { $0.trip.day == CivilDate(gtfs: "20240209") }.count == 3)
        #expect(scheduledUpdates.filter { $0.trip.day == CivilDate(gtfs: "20240210") }.count == 6)
        // The six are at 24:05 and later on the ninth: by their times, all nine belong to the ninth.
        let scheduled = overlay.trips.filter { $0.instance != nil }
        #expect(scheduled.count == 9)
        for trip in scheduled {
            #expect(trip.id.day == CivilDate(gtfs: "20240209"))
            let apart = trip.calls.compactMap { call in
                call.live.flatMap { live in call.planned.map { live.departure - $0.departure } }
            }
            #expect(!apart.isEmpty)
            #expect(
                apart.allSatisfy { $0 > .seconds(-900) && $0 < .seconds(1_800) },
                "\(trip.id.trip) \(apart.min() ?? .zero) \(apart.max() ?? .zero)")
            // A call has its update's time.
            for call in trip.calls {
                guard let update = trip.stopTimeUpdate(of: call), let time = update.time else { continue }
                #expect((update.departure.time == nil ? call.live?.arrival : call.live?.departure) == time)
            }
        }
        // No trip appears twice at a stop, live and scheduled.
        for code in stops(of: message, index).sorted().prefix(40) {
            let rows = overlay.departures(at: StopID(feed: Town.feed, code: code), now: now, ahead: .seconds(3_600))
            #expect(Set(rows.compactMap { $0.attributes?.id }).count == rows.count)
            let trips = rows.compactMap { $0.attributes?.id.flatMap(TripInstanceID.init)?.trip }
            #expect(Set(trips).count == trips.count)
        }
    }

    @Test("New York: five pairs with one trip ID are ten trains")
    func pairs() throws {
        guard let (index, messages) = try over("nyc_subway", "nyct/nyct_subways_gtfs_rt") else { return }
        let message = messages[0]
        let now = try #require(message.madeAt)
        #expect(message.trips.count == 257)
        #expect(Set(message.trips.map(\.trip)).count == 252)
        let overlay = RealtimeOverlay([message], over: index, now: now)
        #expect(overlay.trips.count == 257)
        // The IDs of 86 trains are in the timetable, which expired years before: no trip is scheduled.
        #expect(message.trips.filter { !index.candidates($0.trip.id).isEmpty }.count >= 86)
        #expect(overlay.overlaid.isEmpty)
        let rows = stops(of: message, index).flatMap { code in
            overlay.departures(at: StopID(feed: Town.feed, code: code), now: now, ahead: .seconds(14_400))
        }
        #expect(Set(rows.compactMap { $0.attributes?.id }).count >= 240)
        #expect(rows.allSatisfy { !$0.line.name.isEmpty })
    }

    @Test("New York, for one stop: the destination of every train is its last call")
    func destinations() throws {
        let name = "nyct/1707398184.ace"
        guard let body = Recordings.read("gtfs-rt/\(name).pb"), let index = try index("nyc_subway", stops: ["A27"])
        else { return }
        let message = try RealtimeMessage(body, entityFilter: index.entityFilter)
        let now = try #require(message.madeAt)
        let overlay = RealtimeOverlay([message], over: index, now: now)
        // The names of all stops from stops.txt.
        let archive = try GTFSArchive(path: Recordings.folder + "/gtfs/nyc_subway.zip")
        var table = try Table(StopColumn.self, in: archive)
        var names: [String: String] = [:]
        while try table.next() { names[table.text(StopColumn.id)] = table.text(StopColumn.name) }
        var ends: [String: String] = [:]
        for entity in try TransitRealtime_FeedMessage(serializedBytes: body).entity where entity.hasTripUpdate {
            ends[entity.id] = entity.tripUpdate.stopTimeUpdate.last.flatMap { names[$0.stopID] } ?? ""
        }
        let live = overlay.departures(at: StopID(feed: Town.feed, code: "A27"), now: now, ahead: .seconds(14_400))
            .filter { if case .expected = $0.status { true } else { false } }
        #expect(live.count > 60)
        for row in live {
            let entity = row.attributes?.id.flatMap(TripInstanceID.init)?.entity ?? ""
            #expect(row.destination == ends[entity], "\(entity)")
        }
    }
}
