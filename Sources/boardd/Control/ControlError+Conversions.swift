internal import BoardControl
internal import BoardCore
internal import BoardStore

// Conversions of the modules' errors to errors of the control socket.

extension ControlError {
    /// The error for favourites.toml that was not changed.
    init(_ failure: FavouritesFailure) {
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
    init(_ failure: DirectoryFailure) {
        let kind: Kind =
            switch failure.kind {
            case .missing, .busy: .unavailable
            case .unwritable: .notAllowed
            case .corrupt, .newer, .older, .unreadable, .full, .empty, .tooFewStops, .other: .failed
            }
        self.init(kind, "\(failure)")
    }

    /// The error for a reload that failed.
    init(_ failure: ReloadFailure) {
        switch failure {
        case .faulty(let faults):
            self.init(
                .invalid, "the configuration is faulty; the old one stays",
                faults: faults.faults.map { Fault($0) })
        case .feed(let failure):
            self.init(.invalid, "\(failure); the old configuration stays")
        case .noThread(let failure):
            self.init(.failed, "\(failure)")
        }
    }

    /// The error for a failed request to an operator.
    init(_ failure: FeedFailure) {
        let kind: Kind =
            switch failure.kind {
            case .unknownStop: .notFound
            case .keyRejected, .keyMissing: .notAllowed
            case .unreadable: .unreadable
            case .noNetwork, .certificateDate, .certificate, .timedOut, .rateLimited, .status, .cancelled: .unavailable
            }
        self.init(kind, failure.detail)
    }
}

extension StopFinder {
    /// The stop of an identifier. Its code stands in where the operator reports no name.
    func existing(_ id: StopID) async throws(ControlError) -> ListedStop {
        do throws(FeedFailure) {
            return try await stop(id) ?? ListedStop(id: id, kind: .station, name: id.code)
        } catch {
            let mapped = ControlError(error)
            guard mapped.kind == .notFound else { throw mapped }
            throw ControlError(.notFound, "there is no stop \(id): \(error.detail)")
        }
    }
}

extension Fault {
    init(_ fault: ConfigurationFault) {
        self.init(file: fault.file, line: fault.position?.line, column: fault.position?.column, message: fault.message)
    }
}

extension Candidate {
    /// The number of candidates an error lists.
    static let maximumCount = 3

    init(_ stop: ListedStop) {
        let letter = stop.letter.map { " \($0)" } ?? ""
        self.init(id: stop.id.description, name: stop.name + letter)
    }
}
