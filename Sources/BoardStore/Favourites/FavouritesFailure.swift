public import BoardCore
import BoardIO

/// Why favourites.toml was not changed.
public enum FavouritesFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case alreadyPresent(StopID, line: Int)
    /// The stop is not a favourite; with the most similar one.
    case notFound(StopID, nearest: StopID?)
    /// There is no such position; with the allowed ones, if any.
    case outOfRange(Int, allowed: ClosedRange<Int>)
    /// The file may not contain the value, for this reason.
    case rejected(String)
    /// The file has this fault, and perhaps more: it cannot be read reliably and is not changed.
    case faulty(ConfigurationFault)
    /// The file declares its favourites in a form that boardd reads but cannot edit.
    case unsupportedForm(file: String, line: Int)
    /// The loader would not read the changed text as intended; a bug of this program.
    case verificationFailed(file: String)
    /// There is no change to take back, or it is too old.
    case nothingToUndo
    /// The file has changed since the change that should be taken back.
    case changedSince
    /// The file has changed since the shared stops to be written were computed.
    case outdated(file: String)
    /// The file could not be replaced.
    case file(FileFailure)

    public var description: String {
        switch self {
        case .alreadyPresent(let stop, let line): "\(stop) is a favourite already, in line \(line)"
        case .notFound(let stop, let nearest?): "\(stop) is not a favourite; did you mean \(nearest)?"
        case .notFound(let stop, nil): "\(stop) is not a favourite; see `boardd favourites list`"
        case .outOfRange(let position, let allowed) where allowed.count == 1:
            "there is no position \(position); the only one is \(allowed.lowerBound)"
        case .outOfRange(let position, let allowed):
            "there is no position \(position); there are \(allowed.lowerBound) to \(allowed.upperBound)"
        case .rejected(let sentence): sentence
        case .faulty(let fault): "\(fault) (nothing was changed; fix this first, `boardd check` lists all faults)"
        case .unsupportedForm(let file, let line):
            "\(file):\(line): the favourites are a list in brackets, which boardd reads but cannot edit: "
                + "write each as a [[stop]] or [[nearby]] table"
        case .verificationFailed(let file):
            "\(file) was not changed: the new text would not contain the requested favourites (a bug). Please report it "
                + "with the file; edit the file by hand meanwhile"
        case .nothingToUndo:
            "there is no change to take back: only the last one can be, for \(FavouritesHistory.longest.written)"
        case .changedSince: "favourites.toml was edited since that change, which is not taken back: edit it again"
        case .outdated(let file): "\(file) was edited at the same time; the shared favourites are merged again"
        case .file(let failure): failure.description
        }
    }
}

/// Why a file could not be replaced. The old one is unchanged.
public struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// Another process held the folder's lock for longer than the timeout.
        case busy
        /// This user may not write in the folder, or may not replace the file.
        case notPermitted
        /// This user may write in the folder, but replace only their own files (a sticky folder).
        case notOwner
        case readOnly
        /// The disk or the user's quota is full.
        case noSpace
        case noFolder
        /// The file is a symbolic link that another user created.
        case foreignLink
        case notAFile
        /// Anything else, with its `errno`.
        case system(Int32)
    }

    public let kind: Kind
    public let file: String

    public init(_ kind: Kind, file: String) {
        self.kind = kind
        self.file = file
    }

    public var description: String {
        switch kind {
        case .busy: "\(file): locked by another process; try again"
        case .notPermitted:
            "\(file): permission denied; use sudo, or join the group boardd-control"
        case .notOwner:
            "\(file) is owned by another user in a sticky folder: use sudo, or give it to the daemon "
                + "(sudo chown boardd \(file))"
        case .readOnly: "\(file) is on a read-only file system: make it writable (sudo mount -o remount,rw …)"
        case .noSpace: "\(file): the disk is full; the file is unchanged. Free some space and try again"
        case .noFolder: "\(file): no such folder; create it first"
        case .foreignLink:
            "\(file) is a symbolic link owned by another user and is not followed: replace it with a regular file"
        case .notAFile: "\(file) is not a regular file and is not replaced"
        case .system(let number):
            "\(file) cannot be written: \(errnoText(number)); the file is unchanged"
        }
    }
}
