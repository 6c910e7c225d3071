internal import BoardCore

/// What TfL says of one stop: a row of `/StopPoint/{id}/Disruption`.
struct TfLDisruption: Hashable, Sendable {
    /// What it means for somebody who waits there.
    enum Kind: Hashable, Sendable {
        /// The stop is closed; nothing calls.
        case closure
        /// Something of it is.
        case partial
        /// Good to know.
        case information
    }

    /// The words, clean; empty where there are none.
    let text: String
    /// What it means.
    let kind: Kind
    /// From when it holds; nil where that is not told or cannot be true.
    let from: Timestamp?
    /// Until when it holds.
    let until: Timestamp?
    /// The pole or station that it is about; nil: the one that was asked for.
    private(set) var place: String?
    /// The station or area that the place belongs to.
    let station: String?
    /// The lines that it concerns, by their identifiers; empty where that is not told.
    let lines: [String]

    /// The same notice; where it does not say what it is about, it is about `place`.
    func about(_ place: String?) -> TfLDisruption {
        var notice = self
        notice.place = self.place ?? place
        return notice
    }
}

extension TfLDisruption {
    /// A notice as it is written.
    init(_ row: JSONRow) {
        text = TfLText.alertText(row.text("description") ?? "")
        kind = Kind(type: row.text("type"), appearance: row.text("appearance"))
        let (start, end) = (row.time("fromDate"), row.time("toDate"))
        // What began after its end began at a time that nobody knows.
        if let start, let end, start > end { from = nil } else { from = start }
        until = end
        place = row.text("atcoCode")
        station = row.text("stationAtcoCode")
        lines = row.rows("concernedLines") { $0.text("id")?.lowercased() }
    }
}

extension TfLDisruption.Kind {
    /// What TfL's `type` means ("Closure", "Request Closure", "Information", "Interchange Message"); where it says nothing
    /// that is known, what its `appearance` does ("RealTime", "PlannedWork", "Information").
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

/// The answer of `/StopPoint/{id}/Disruption`: an array of notices; with `getFamily=true`, a tree of stops that have them.
struct TfLDisruptions {
    /// How far down children are read, as for ``TfLStopPoint``.
    private static let deepest = 12
    /// The most notices of a stop that are kept.
    private static let most = 100

    /// The notices that say something, each once.
    let disruptions: [TfLDisruption]

    /// Reads a whole answer.
    init(_ body: [UInt8]) throws(JSONFault) {
        let answer = try JSONDocument(body).root
        if let flat = answer.elements {
            self.init(flat.rows(TfLDisruption.init).good)
        } else if let family = answer.row.flatMap({ TfLDisruptions(family: $0) }) {
            self = family
        } else {
            throw .unexpectedStructure
        }
    }

    /// Those of a stop and its children; `depth` says how many stops it is inside of. Nil where it is no such stop.
    private init?(family: JSONRow, depth: Int = 0) {
        guard family["disruptions"] != nil || family["children"] != nil else { return nil }
        let place = family.text("naptanId")
        let own = family.rows("disruptions") { TfLDisruption($0).about(place) }
        let children =
            depth < Self.deepest ? family.rows("children") { TfLDisruptions(family: $0, depth: depth + 1) } : []
        self.init(own + children.flatMap(\.disruptions))
    }

    private init(_ all: [TfLDisruption]) {
        var seen: Set<TfLDisruption> = []
        disruptions = Array(all.filter { !$0.text.isEmpty && seen.insert($0).inserted }.prefix(Self.most))
    }
}
