internal import BoardCore
internal import BoardFormats

/// A disruption of a stop: a row of `/StopPoint/{id}/Disruption`.
struct TfLDisruption: Hashable, Sendable {
    /// The effect on passengers.
    enum Kind: Hashable, Sendable {
        /// The stop is closed; nothing calls.
        case closure
        case partial
        /// No restriction.
        case information
    }

    /// The text as plain text; empty if absent.
    let text: String
    let kind: Kind
    /// When it begins; nil if absent or implausible.
    let from: Timestamp?
    let until: Timestamp?
    /// The bus stop or station concerned; nil: the requested one.
    private(set) var place: String?
    /// The station or area of the place.
    let station: String?
    /// The identifiers of the lines concerned; empty if absent.
    let lines: [String]

    /// The same disruption; without a place of its own, at `place`.
    func about(_ place: String?) -> TfLDisruption {
        var disruption = self
        disruption.place = self.place ?? place
        return disruption
    }
}

extension TfLDisruption {
    init(_ row: JSONRow) {
        text = TfLText.alertText(row.text("description") ?? "")
        kind = Kind(type: row.text("type"), appearance: row.text("appearance"))
        let (start, end) = (row.time("fromDate"), row.time("toDate"))
        // A beginning after the end is an error in the data.
        if let start, let end, start > end { from = nil } else { from = start }
        until = end
        place = row.text("atcoCode")
        station = row.text("stationAtcoCode")
        lines = row.rows("concernedLines") { $0.text("id")?.lowercased() }
    }
}

extension TfLDisruption.Kind {
    /// The kind for TfL's `type` ("Closure", "Request Closure", "Information", "Interchange Message"), else for its
    /// `appearance` ("RealTime", "PlannedWork", "Information").
    fileprivate init(type: String?, appearance: String?) {
        let type = type?.lowercased() ?? ""
        if type.contains("part") {
            self = .partial
        } else if type.contains("clos") || type.contains("suspen") {
            self = .closure
        } else if type.contains("info") || type.contains("message") || appearance == "Information" {
            self = .information
        } else {
            self = .partial
        }
    }
}

/// The response of `/StopPoint/{id}/Disruption`: an array of disruptions; with `getFamily=true`, a tree of stops with them.
struct TfLDisruptions {
    /// The most levels of children that are read, as for ``TfLStopPoint``.
    private static let maxDepth = 12
    /// The most disruptions of a stop.
    private static let limit = 100

    /// The distinct disruptions with a text.
    let disruptions: [TfLDisruption]

    init(_ body: [UInt8]) throws(JSONFault) {
        let root = try JSONDocument(body).root
        if let flat = root.elements {
            self.init(flat.rows(TfLDisruption.init).good)
        } else if let family = root.row.flatMap({ TfLDisruptions(family: $0) }) {
            self = family
        } else {
            throw .unexpectedStructure
        }
    }

    /// The disruptions of a stop and its children at `depth`; nil if the row is not a stop.
    private init?(family: JSONRow, depth: Int = 0) {
        guard family["disruptions"] != nil || family["children"] != nil else { return nil }
        let place = family.text("naptanId")
        let own = family.rows("disruptions") { TfLDisruption($0).about(place) }
        let children =
            depth < Self.maxDepth ? family.rows("children") { TfLDisruptions(family: $0, depth: depth + 1) } : []
        self.init(own + children.flatMap(\.disruptions))
    }

    private init(_ all: [TfLDisruption]) {
        var seen: Set<TfLDisruption> = []
        disruptions = Array(all.filter { !$0.text.isEmpty && seen.insert($0).inserted }.prefix(Self.limit))
    }
}
