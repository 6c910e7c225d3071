internal import BoardCore

/// An answer's content, taken out of what a gateway may have put around it: `{"statusCode":200,"body":"<JSON as a string>"}`,
/// which is decoded twice.
struct TripsResponse {
    /// The content.
    let document: JSONDocument
    /// The status in the wrapping; 200 where there is none.
    let status: Int

    init(_ body: [UInt8]) throws(JSONFault) {
        let outer = try JSONDocument(body)
        guard let row = outer.root.row, let inner = row["body"], inner.isString, let status = row.integer("statusCode")
        else {
            (document, self.status) = (outer, 200)
            return
        }
        self.status = status
        // What is said of a failure need not be JSON.
        document = status == 200 ? try JSONDocument(Array((inner.text ?? "").utf8)) : outer
    }

    /// The trips, those that cannot be read left out and counted.
    ///
    /// - Returns: also the identifiers of those that cannot be read, as far as these can.
    /// - Throws: ``JSONFault`` also where there are rows and none can be read: it is the answer to something else.
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

    /// The name of an airport's zone.
    func zone() throws(JSONFault) -> String {
        guard let name = try document.row().text("tz") else { throw .unexpectedStructure }
        return name
    }

    /// The regions, by their codes.
    func regions() throws(JSONFault) -> [(code: String, name: String)] {
        let (good, bad) = try document.list().rows { row -> (code: String, name: String)? in
            guard let code = row.text("id"), case .region? = TripsCode(code) else { return nil }
            return (code, row.text("name") ?? code)
        }
        if good.isEmpty, bad > 0 { throw .unexpectedStructure }
        return good
    }
}
