internal import BoardFormats

/// A decoded response of OpenLDBWS, of every version of the schema since 2012.
enum DarwinResponse: Hashable, Sendable {
    case board(RailBoard)
    /// A service; nil: it is no longer available.
    case details(RailServiceDetails?)
    case fault(String)

    /// Class and toilet of every coach at every call.
    private static let skipped: Set = ["formation", "coaches"]

    /// - Parameter withCalls: whether a board's calling points are read; they are most of its bytes.
    /// - Throws: ``JSONFault`` for malformed XML and other content.
    init(_ body: [UInt8], withCalls: Bool) throws(JSONFault) {
        let root = try JSONDocument(xml: body, skipping: Self.skipped).root
        func first(_ names: String...) -> JSONValue? { names.lazy.compactMap { root.descendants($0).first }.first }
        if let fault = first("Fault") {
            // SOAP 1.1, then 1.2.
            let text = fault.row?.text("faultstring") ?? fault.row?.row("Reason")?.text("Text")
            self = .fault(text ?? "SOAP fault without text")
        } else if let board = first("GetStationBoardResult", "DeparturesBoard") {
            self = .board(board.row.map { RailBoard($0, withCalls: withCalls) } ?? RailBoard())
        } else if let details = first("GetServiceDetailsResult") {
            self = .details(details.nonEmptyRow.map { RailServiceDetails($0) })
        } else if first("GetServiceDetailsResponse") != nil {
            self = .details(nil)
        } else {
            throw .unexpectedXML
        }
    }
}
