package import BoardCore
package import BoardStore

// The one conversion of each module's errors.

extension ServiceError {
    /// The error for favourites.toml that was not changed.
    package init(_ failure: FavouritesFailure) {
        var candidates: [Candidate] = []
        var faults: [Fault] = []
        var message = "\(failure)"
        let kind: Kind
        switch failure {
        case .alreadyPresent: kind = .conflict
        case .notFound(let stop, let nearest):
            kind = .notFound
            if let nearest {
                message = "\(stop) is no favourite"
                candidates = [Candidate(id: nearest.description)]
            }
        case .nothingToUndo: kind = .notFound
        case .changedSince, .outdated: kind = .conflict
        case .outOfRange, .rejected: kind = .invalid
        case .faulty(let fault):
            kind = .invalid
            message = "not changed: the file has faults; `boardd check` lists them"
            faults = [Fault(fault)]
        case .unsupportedForm(let file, let line):
            kind = .invalid
            faults = [Fault(file: file, line: line, message: "the favourites are written as a list in brackets")]
        case .verificationFailed: kind = .failed
        case .file(let file):
            switch file.kind {
            case .busy: kind = .unavailable
            case .notPermitted, .notOwner, .readOnly, .foreignLink: kind = .notAllowed
            case .noSpace, .noFolder, .notAFile, .system: kind = .failed
            }
        }
        self.init(kind, message, candidates: candidates, faults: faults)
    }

    /// The error for a failed read of the stop directory.
    package init(_ failure: DirectoryFailure) {
        let kind: Kind =
            switch failure.kind {
            case .busy: .unavailable
            case .unwritable: .notAllowed
            case .missing: .noDirectory
            default: .unusableDirectory
            }
        self.init(kind, "\(failure)")
    }

    /// The error for files with faults.
    package init(_ faults: ConfigurationFaults, _ message: String) {
        self.init(.invalid, message, faults: faults.faults.map { Fault($0) })
    }

    /// The error for a feed that does not exist.
    package static func unknownFeed(
        _ feed: FeedName, known: [String], candidates: [Candidate] = []
    ) -> ServiceError {
        ServiceError(
            .notFound, "there is no feed \"\(feed)\"; known feeds: \(known.joined(separator: ", "))",
            candidates: candidates)
    }

    /// The error for a failed request to an operator.
    package init(_ failure: FeedFailure) {
        let kind: Kind =
            switch failure.kind {
            case .unknownStop: .notFound
            case .keyRejected, .keyMissing: .notAllowed
            case .unreadable: .unreadable
            case .noNetwork, .certificateDate, .certificate, .timedOut, .rateLimited, .status, .cancelled, .noZone:
                .unavailable
            }
        self.init(kind, failure.detail)
    }
}

extension Fault {
    package init(_ fault: ConfigurationFault) {
        self.init(file: fault.file, line: fault.position?.line, column: fault.position?.column, message: fault.message)
    }
}

extension Candidate {
    package init(_ stop: ListedStop) {
        let letter = stop.letter.map { " \($0)" } ?? ""
        self.init(id: stop.id.description, name: stop.name + letter)
    }
}
