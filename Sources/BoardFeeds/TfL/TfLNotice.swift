internal import BoardCore

/// What TfL says of one stop: a row of `/StopPoint/{id}/Disruption`.
struct TfLNotice: Hashable, Sendable {
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
    func about(_ place: String?) -> TfLNotice {
        var notice = self
        notice.place = self.place ?? place
        return notice
    }
}

extension TfLNotice: Decodable {
    private enum CodingKeys: String, CodingKey {
        case atcoCode, stationAtcoCode, fromDate, toDate, description, type, appearance, concernedLines
    }

    private struct Concerned: Decodable {
        private enum CodingKeys: String, CodingKey {
            case id
        }

        let id: String?

        init(from decoder: any Decoder) throws {
            id = try decoder.container(keyedBy: CodingKeys.self).text(.id)
        }
    }

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        text = TfLText.notice(row.text(.description) ?? "")
        kind = Kind(type: row.text(.type), appearance: row.text(.appearance))
        let (start, end) = (row.time(.fromDate), row.time(.toDate))
        // What began after its end began at a time that nobody knows.
        if let start, let end, start > end { from = nil } else { from = start }
        until = end
        place = row.text(.atcoCode)
        station = row.text(.stationAtcoCode)
        lines = row.rows(.concernedLines, of: Concerned.self).compactMap { $0.id?.lowercased() }
    }
}

extension TfLNotice.Kind {
    /// What TfL's `type` means ("Closure", "Part Closure", "Information", "Interchange Message"); where it says nothing
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
struct TfLNotices: Decodable {
    /// How far down children are read, as for ``TfLStopPoint``.
    private static let deepest = 12
    /// The most notices of a stop that are kept.
    private static let most = 100

    private enum CodingKeys: String, CodingKey {
        case naptanId, disruptions, children
    }

    /// The notices that say something, each once.
    let notices: [TfLNotice]

    /// Reads a whole answer.
    init(_ body: [UInt8]) throws(JSONFault) {
        self = try JSONAnswer.decode(TfLNotices.self, from: body)
    }

    init(from decoder: any Decoder) throws {
        let all: [TfLNotice]
        if let flat = try? decoder.singleValueContainer().decode([LossyRow<TfLNotice>].self) {
            all = flat.compactMap(\.row)
        } else {
            let family = try decoder.container(keyedBy: CodingKeys.self)
            guard family.contains(.disruptions) || family.contains(.children) else {
                throw DecodingError.keyNotFound(
                    CodingKeys.disruptions,
                    .init(codingPath: decoder.codingPath, debugDescription: "no family of stops"))
            }
            let place = family.text(.naptanId)
            let own = family.rows(.disruptions, of: TfLNotice.self).map { $0.about(place) }
            let isDeep = decoder.codingPath.count >= 2 * Self.deepest
            all = own + (isDeep ? [] : family.rows(.children, of: TfLNotices.self).flatMap(\.notices))
        }
        var seen: Set<TfLNotice> = []
        notices = Array(all.filter { !$0.text.isEmpty && seen.insert($0).inserted }.prefix(Self.most))
    }
}
