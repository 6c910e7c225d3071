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

    @Test("every live departure of BART equals a plain evaluation of the message")
    func bartRows() throws {
        let path = Recordings.folder + "/gtfs/transitland_bart-rt_static.zip"
        guard let body = Recordings.read("gtfs-rt/transitland/example.pb"), RecordingFiles.isAbsent(path) == false
        else {
            return
        }
        let stops = Set(try RealtimeMessage(body).trips.flatMap(\.unknownStops))
        let pacific = try Zone(posix: "PST8PDT,M3.2.0,M11.1.0")
        let (timetable, _) = try TimetableReader.read(GTFSArchive(path: path), stops: stops.sorted()) { _ in pacific }
        let index = RealtimeIndex(timetable, stops: stops.sorted())
        let message = try RealtimeMessage(body, entityFilter: index.entityFilter)
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
        for code in stops {
            let rows = overlay.departures(at: StopID(feed: Town.feed, code: code), now: now, ahead: .seconds(86_400))
            let live = rows.compactMap { if case .expected(let time) = $0.status { time.seconds } else { nil } }
            #expect(live.sorted() == (expected[code] ?? []).sorted(), "\(code)")
        }
    }
}
