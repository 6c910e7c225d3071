import BoardCore
import TestOperators
import Testing

@testable import BoardFeeds

/// A stop point decoded independently, to verify the product's decoder.
private struct PlainPoint: Decodable {
    struct Identifier: Decodable { let id: String }
    struct Group: Decodable { let naptanIdReference: String? }
    let naptanId: String
    let stopType: String?
    let commonName: String
    let stopLetter: String?
    let stationNaptan: String?
    let hubNaptanCode: String?
    let modes: [String]?
    let lines: [Identifier]?
    let lineGroup: [Group]?
    let lat: Double?
    let lon: Double?
    let children: [PlainPoint]?

    /// All points in it with their ancestors, itself first.
    func walk(_ above: [PlainPoint] = []) -> [(point: PlainPoint, above: [PlainPoint])] {
        [(self, above)] + (children ?? []).flatMap { $0.walk(above + [self]) }
    }
}

private struct PlainPage: Decodable {
    let stopPoints: [PlainPoint]
    let total: Int
}

@Suite("Stops of TfL's list, from real recordings", .needsRecordings)
struct TfLRecordedListTests {
    private static let kinds: [String: ListedStop.Kind] = [
        "NaptanPublicBusCoachTram": .pole, "NaptanRailStation": .station, "NaptanMetroStation": .station,
        "NaptanBusCoachStation": .station, "NaptanOnstreetBusCoachStopPair": .area,
        "NaptanOnstreetBusCoachStopCluster": .area, "TransportInterchange": .interchange,
    ]

    private func content(_ name: String) throws -> [UInt8]? {
        guard let bytes = Recordings.read("tfl/recorded_with_headers/\(name).json") else { return nil }
        return try RecordedBody(bytes).content
    }

    /// Compares the emitted stops with those of the independent decoder, in order.
    private func compare(_ stops: [ListedStop], with points: [PlainPoint]) {
        let expected = points.flatMap { $0.walk() }.filter { Self.kinds[$0.point.stopType ?? ""] != nil }
        #expect(stops.count == expected.count)
        for (stop, (point, above)) in zip(stops, expected) {
            #expect(stop.id.code == point.naptanId)
            #expect(stop.kind == Self.kinds[point.stopType ?? ""])
            #expect(stop.name == point.commonName.split(whereSeparator: \.isWhitespace).joined(separator: " "))
            #expect(stop.coordinates?.latitude == (point.lat == 0 ? nil : point.lat))
            #expect(stop.coordinates?.longitude == (point.lon == 0 ? nil : point.lon))
            let hasLetter = stop.kind == .pole && point.stopLetter?.hasPrefix("->") == false
            #expect(stop.letter == (hasLetter ? point.stopLetter : nil))
            if let lines = point.lines, !lines.isEmpty {
                #expect(Set(stop.lines.map(\.line.id)).isSubset(of: lines.map(\.id)))
                #expect(!stop.lines.isEmpty)
            }
            #expect(stop.lines.allSatisfy { $0.mode != nil })
            if let modes = point.modes, !modes.isEmpty { #expect(Set(stop.modes).isSubset(of: modes)) }
            if stop.kind == .pole, stop.lines.isEmpty {
                let groups = (above + [point]).flatMap { $0.lineGroup ?? [] }
                #expect(!groups.contains { $0.naptanIdReference == point.naptanId })
            }
            let around = above.last.map(\.naptanId)
            let isAround = above.last.map { Self.kinds[$0.stopType ?? ""] != nil } ?? false
            let reported = [point.stationNaptan, point.hubNaptanCode].compactMap { $0 }.first { $0 != point.naptanId }
            #expect(stop.parent?.code == (isAround ? around : reported), "\(stop.id)")
        }
    }

    @Test("the bulk list of the Overground: 115 stations and 39 interchanges of 536 entries, and all their parts")
    func bulk() throws {
        guard let body = try content("stoppoint_mode_overground_bulk") else { return }
        let plain = try FoundationJSON.decode(PlainPage.self, from: body)
        let (page, stops) = try listed(body)
        #expect(page == StopPage(entries: plain.stopPoints.count, badRows: 0, total: plain.total))
        #expect(page.entries == 536)
        let top = Set(plain.stopPoints.map(\.naptanId))
        #expect(Set(stops.filter { $0.kind == .station && top.contains($0.id.code) }.map(\.id)).count == 115)
        #expect(stops.filter { $0.kind == .interchange }.count == 39)
        compare(stops, with: plain.stopPoints)
        // Bus stops inside stations are listed without lines; most get theirs from their ancestors, some only where they are
        // listed again.
        let poles = stops.filter { $0.kind == .pole }
        let called = Set(poles.filter { !$0.lines.isEmpty }.map(\.id))
        #expect(called.count > Set(poles.map(\.id)).count * 4 / 5)
        #expect(poles.filter { $0.id.code == "490000101J" }.map { $0.lines.map(\.line.id) } == [[], ["h9"]])
    }
}
