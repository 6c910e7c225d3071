internal import BoardCore
internal import BoardFormats
internal import Synchronization

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

    /// A page whose stops go to `emit`.
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
