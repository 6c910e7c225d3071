public import BoardCore
internal import BoardIO

/// Why favourites.toml was not changed. The file is as it was.
public enum FavouritesFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stop is a favourite already.
    case alreadyPresent(StopID, line: Int)
    /// The stop is no favourite; the one of them that may be meant.
    case notFound(StopID, nearest: StopID?)
    /// There is no such place in the list; those that there are, if any.
    case outOfRange(Int, allowed: ClosedRange<Int>)
    /// What was asked for may not stand in the file: the sentence says why.
    case refused(String)
    /// The file has this fault, and perhaps more: what it means is not certain, so it is not touched.
    case faulty(ConfigurationFault)
    /// The file declares its favourites in a form that is read but not edited.
    case unsupportedForm(file: String, line: Int)
    /// The changed text would not have said what was meant; a mistake of this program.
    case verificationFailed(file: String)
    /// The file could not be replaced.
    case file(FileFailure)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .alreadyPresent(let stop, let line): "\(stop) is a favourite already, in line \(line)"
        case .notFound(let stop, let nearest?): "\(stop) is no favourite; did you mean \(nearest)?"
        case .notFound(let stop, nil): "\(stop) is no favourite; see `boardd favourites list`"
        case .outOfRange(let position, let allowed) where allowed.count == 1:
            "there is no position \(position); the only one is \(allowed.lowerBound)"
        case .outOfRange(let position, let allowed):
            "there is no position \(position); there are \(allowed.lowerBound) to \(allowed.upperBound)"
        case .refused(let sentence): sentence
        case .faulty(let fault): "\(fault) (nothing was changed; mend this first, `boardd check` shows all faults)"
        case .unsupportedForm(let file, let line):
            "\(file):\(line): the favourites are written as a list in brackets, which is read but not edited: "
                + "write each as a [[stop]] or [[nearby]] table"
        case .verificationFailed(let file):
            "\(file) was not changed: the new text would not have said what was asked for. Please report this, with the "
                + "file; a text editor can make the change"
        case .file(let failure): failure.description
        }
    }
}

/// Why a file could not be replaced. The old one is still there, whole.
public struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a person can do something about.
    public enum Kind: Hashable, Sendable {
        /// Somebody else kept the folder locked for longer than one waits.
        case busy
        /// This user may not write in the folder, or may not replace the file.
        case notPermitted
        /// This user may write in the folder, but replace only what is theirs (a sticky folder).
        case notOwner
        /// The file system is read-only.
        case readOnly
        /// The disk, or the user's share of it, is full.
        case noSpace
        /// The folder is not there.
        case noFolder
        /// The file is a symbolic link that another user put there.
        case foreignLink
        /// The file is no ordinary file.
        case notAFile
        /// Anything else, with its `errno`.
        case system(Int32)
    }

    /// What went wrong.
    public let kind: Kind
    /// The file's path.
    public let file: String

    /// A failure.
    public init(_ kind: Kind, file: String) {
        self.kind = kind
        self.file = file
    }

    /// What is wrong and what to do.
    public var description: String {
        switch kind {
        case .busy: "\(file): somebody else is changing it; try again"
        case .notPermitted:
            "\(file) cannot be changed by this user: run it with sudo, or join the group boardd-control"
        case .notOwner:
            "\(file) belongs to another user, who alone may replace it: run it with sudo, or give it to the daemon "
                + "(sudo chown boardd \(file))"
        case .readOnly: "\(file) is on a read-only file system: make it writable (sudo mount -o remount,rw …)"
        case .noSpace: "\(file): the disk is full; it stays as it was. Make room and try again"
        case .noFolder: "\(file): the folder is not there; make it first"
        case .foreignLink:
            "\(file) is a link that another user put there, and is not followed: replace it by an ordinary file"
        case .notAFile: "\(file) is no ordinary file, and is not replaced"
        case .system(let number):
            "\(file) cannot be written: \(errnoText(number)); it stays as it was"
        }
    }
}
