public import BoardCore
internal import BoardFormats
internal import Synchronization

/// TfL's own list of its stops, and the routes of its lines.
///
/// The list is `/StopPoint/Mode/{modes}?page=`, a thousand entries a page, some megabytes each, of which half are entrances
/// and similar. Nothing is stored.
public struct TfLCatalogue: StopCatalogue {
    /// The listed modes: all those with predictions. TfL also lists coaches, National Rail and others, without predictions.
    static let modes = [
        "tube", "dlr", "elizabeth-line", "overground", "tram", "bus", "river-bus", "cable-car",
    ]

    private let api: TfLAPI

    /// - Throws: ``FeedSettingFailure`` for a disallowed `url`.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        api = try TfLAPI(context)
    }

    /// Fetches a page.
    ///
    /// TfL lists most stops more than once: by themselves, and inside stations and interchanges, there often without lines,
    /// direction and coordinates. An unpaged list is received whole as page 1; later pages that repeat it count as empty.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage {
        let reader = TfLStopPageReader(take)
        let result = try await api.stopList(of: Self.modes, page: page, into: reader)
        let isWhole = page > 1 && result.total.map { $0 > 0 && result.entries >= $0 } ?? false
        return isWhole ? StopPage(entries: 0, badRows: 0, total: result.total) : result
    }

    /// Fetches both directions of a line at once.
    public func route(of line: String) async throws(FeedFailure) -> LineRoute? {
        let id = line.lowercased()
        guard !id.isEmpty else { return nil }
        do {
            return try await api.routeSequence(of: id)
        } catch {
            guard error.kind == .unknownStop else { throw error }
            return nil
        }
    }
}

/// A streaming reader of one page of TfL's list: receives bytes and emits stops.
///
/// A body without a list may be an error response, which only its status shows, after the last byte. Its beginning is
/// stored until then.
final class TfLStopPageReader: Sendable {
    /// The longest stored beginning, and how much of a body without a list is read, in bytes.
    private static let longestBeginning = 65_536

    private struct State: Sendable {
        var splitter = JSONElementSplitter(array: "stopPoints")
        var beginning: [UInt8] = []
        var fault: JSONFault?
        var sinkError: (any Error)?
        var badRows = 0
    }

    private let state = Mutex(State())
    private let emit: StopCatalogue.StopReceiver

    init(_ emit: @escaping StopCatalogue.StopReceiver) {
        self.emit = emit
    }

    /// Receives the next bytes. Throws errors of `emit`, and ``JSONFault`` after too much of a body without a list.
    @Sendable func receive(_ chunk: Span<UInt8>) throws {
        try state.withLock { state in
            storeBeginning(chunk, &state)
            do {
                if state.fault == nil { try read(chunk, &state) }
            } catch let fault as JSONFault {
                state.fault = fault
            }
            if let fault = state.fault, state.beginning.count >= Self.longestBeginning { throw fault }
        }
    }

    /// The error that `emit` threw; nil if none.
    var sinkError: (any Error)? { state.withLock { $0.sinkError } }

    /// The beginning of a body without a list.
    var beginning: [UInt8] { state.withLock { $0.beginning } }

    /// The summary of the page, after the last byte.
    ///
    /// - Throws: ``JSONFault`` if the list is missing or incomplete.
    func finish() throws(JSONFault) -> StopPage {
        try state.withLock { state throws(JSONFault) in
            if let fault = state.fault { throw fault }
            try state.splitter.finish()
            return StopPage(
                entries: state.splitter.elements, badRows: state.badRows + state.splitter.rejected,
                total: state.splitter.integer("total"))
        }
    }

    private func read(_ chunk: Span<UInt8>, _ state: inout State) throws {
        var position = 0
        while try state.splitter.next(in: chunk, from: &position) {
            guard let row = try? JSONDocument(state.splitter.element).row() else {
                state.badRows += 1
                continue
            }
            let listing = TfLStopListEntry(row).listing
            state.badRows += listing.badRows
            for stop in listing.stops {
                do {
                    try emit(stop)
                } catch {
                    state.sinkError = error
                    throw error
                }
            }
        }
    }

    private func storeBeginning(_ chunk: Span<UInt8>, _ state: inout State) {
        guard state.splitter.elements == 0 || state.fault != nil else { return state.beginning = [] }
        let room = min(chunk.count, Self.longestBeginning - state.beginning.count)
        unsafe chunk.extracting(0..<room).withUnsafeBufferPointer { unsafe state.beginning.append(contentsOf: $0) }
    }
}
