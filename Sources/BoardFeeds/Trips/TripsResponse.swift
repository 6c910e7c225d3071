internal import BoardCore
internal import BoardFormats

/// The content of a response, unwrapped if a gateway has wrapped it: `{"statusCode":200,"body":"<JSON as a string>"}`, which
/// is decoded twice.
struct TripsResponse {
    let document: JSONDocument
    /// The status in the wrapper; 200 without one.
    let status: Int

    init(_ body: [UInt8]) throws(JSONFault) {
        let outer = try JSONDocument(body)
        guard let row = outer.root.row, let inner = row["body"], inner.isString, let status = row.integer("statusCode")
        else {
            (document, self.status) = (outer, 200)
            return
        }
        self.status = status
        // An error body need not be JSON.
        document = status == 200 ? try JSONDocument(Array((inner.text ?? "").utf8)) : outer
    }

    /// The valid trips, with the number of malformed ones.
    ///
    /// - Returns: also the identifiers of the malformed ones, as far as readable.
    /// - Throws: ``JSONFault`` also if no row is valid: it is another kind of response.
    func trips() throws(JSONFault) -> (trips: [TripOffer], badRows: Int, badIDs: Set<String>) {
        var badIDs: Set<String> = []
        let (good, bad) = try document.list().rows { row -> TripOffer? in
            let trip = TripOffer(row)
            if trip == nil, let id = row.text("id") { badIDs.insert(id.lowercased()) }
            return trip
        }
        if good.isEmpty, bad > 0 { throw .unexpectedStructure }
        var seen: Set<String> = []
        return (good.filter { seen.insert($0.id).inserted }, bad, badIDs)
    }

    func zone() throws(JSONFault) -> String {
        guard let name = try document.row().text("tz") else { throw .unexpectedStructure }
        return name
    }

    /// The regions with their codes.
    func regions() throws(JSONFault) -> [(code: String, name: String)] {
        let (good, bad) = try document.list().rows { row -> (code: String, name: String)? in
            guard let code = row.text("id"), case .region? = TripsCode(code) else { return nil }
            return (code, row.text("name") ?? code)
        }
        if good.isEmpty, bad > 0 { throw .unexpectedStructure }
        return good
    }
}
