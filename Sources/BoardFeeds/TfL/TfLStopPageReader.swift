internal import BoardCore
internal import Synchronization

/// One page of TfL's list while it comes: takes bytes, hands over stops.
///
/// A body that is no list may be what a refusal says, which only its status tells, after the last byte. Its beginning is
/// kept until then.
final class TfLStopPageReader: Sendable {
    /// The longest beginning that is kept, and how much is read on of a body that is no list.
    private static let longestOpening = 65_536

    private struct State: Sendable {
        var splitter = JSONElementSplitter(array: "stopPoints")
        var opening: [UInt8] = []
        var fault: JSONFault?
        var sinkError: (any Error)?
        var badRows = 0
    }

    private let state = Mutex(State())
    private let emit: StopCatalogue.StopReceiver

    /// A page whose stops go to `give`.
    init(_ emit: @escaping StopCatalogue.StopReceiver) {
        self.emit = emit
    }

    /// Takes the next bytes. Throws what `give` threw, and ``JSONFault`` after too much of a body that is no list.
    @Sendable func take(_ chunk: Span<UInt8>) throws {
        try state.withLock { state in
            keepOpening(chunk, &state)
            do {
                if state.fault == nil { try read(chunk, &state) }
            } catch let fault as JSONFault {
                state.fault = fault
            }
            if let fault = state.fault, state.opening.count >= Self.longestOpening { throw fault }
        }
    }

    /// What `give` threw; nil while it took everything.
    var sinkError: (any Error)? { state.withLock { $0.sinkError } }

    /// How the body begins, where it holds no list.
    var opening: [UInt8] { state.withLock { $0.opening } }

    /// What the page was like, after the last byte.
    ///
    /// - Throws: ``JSONFault`` where it is no whole list.
    func finish() throws(JSONFault) -> StopPage {
        try state.withLock { state throws(JSONFault) in
            if let fault = state.fault { throw fault }
            try state.splitter.finish()
            return StopPage(
                entries: state.splitter.elements, badRows: state.badRows + state.splitter.refused,
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

    private func keepOpening(_ chunk: Span<UInt8>, _ state: inout State) {
        guard state.splitter.elements == 0 || state.fault != nil else { return state.opening = [] }
        let room = min(chunk.count, Self.longestOpening - state.opening.count)
        unsafe chunk.extracting(0..<room).withUnsafeBufferPointer { unsafe state.opening.append(contentsOf: $0) }
    }
}
