public import BoardCore
public import BoardIO

/// Why favourites.toml was not changed.
public enum FavouritesError: Error, Hashable, Sendable, CustomStringConvertible {
    case alreadyPresent(StopID, line: Int)
    /// The stop is not a favourite; with the most similar one.
    case notFound(StopID, nearest: StopID?)
    /// There is no such position; with the allowed ones, if any.
    case outOfRange(Int, allowed: ClosedRange<Int>)
    /// The file may not contain the favourites, for this reason; with the value that it is about, if it is about one.
    case rejected(String, InvalidValue? = nil)
    /// The file may not contain the value; with what was found and what is allowed.
    case invalid(InvalidValue, String)
    /// The file has this fault, and perhaps more: it cannot be read reliably and is not changed.
    case faulty(SourceError)
    /// The file declares its favourites in a form that boardd reads but cannot edit.
    case unsupportedForm(file: String, line: Int)
    /// The loader would not read the changed text as intended; a bug of this program.
    case verificationFailed(file: String)
    /// There is no change to undo, or it is too old.
    case nothingToUndo
    /// The file has changed since the change to undo.
    case changedSince
    /// The file has changed since the shared stops to be written were computed.
    case outdated(file: String)
    /// The file could not be replaced.
    case file(FileError)

    public var description: String {
        switch self {
        case .alreadyPresent(let stop, let line): "\(stop) is already a favourite, on line \(line)"
        case .notFound(let stop, let nearest?): "\(stop) is not a favourite; did you mean \(nearest)?"
        case .notFound(let stop, nil): "\(stop) is not a favourite; see `boardd favourites list`"
        case .outOfRange(let position, let allowed) where allowed.count == 1:
            "there is no position \(position); the only one is \(allowed.lowerBound)"
        case .outOfRange(let position, let allowed):
            "there is no position \(position); there are \(allowed.lowerBound) to \(allowed.upperBound)"
        case .rejected(let sentence, _), .invalid(_, let sentence): sentence
        case .faulty(let fault): "\(fault) (nothing was changed; fix this first, `boardd check` lists all faults)"
        case .unsupportedForm(let file, let line):
            "\(file):\(line): the favourites are a list in brackets, which boardd reads but cannot edit: "
                + "write each as a [[stop]] or [[nearby]] table"
        case .verificationFailed(let file):
            "\(file) was not changed: the new text would not contain the requested favourites (a bug). Please report it "
                + "with the file; edit the file by hand meanwhile"
        case .nothingToUndo:
            "there is no change to undo: only the last one can be undone, for \(FavouritesHistory.maximumAge.written)"
        case .changedSince: "favourites.toml was edited since that change, which was not undone: edit it again"
        case .outdated(let file): "\(file) was edited at the same time; the shared favourites are merged again"
        case .file(let failure): failure.description
        }
    }
}
