internal import BoardControl
internal import BoardCore
internal import BoardStore

// What the rooms say of their failures, as the control socket says it.

extension ControlRefusal {
    /// Why favourites.toml was not changed.
    init(_ failure: FavouritesFailure) {
        var candidates: [Candidate] = []
        let kind: Kind
        switch failure {
        case .present: kind = .conflict
        case .absent(_, let nearest):
            kind = .notFound
            candidates = nearest.map { [Candidate(id: $0.description)] } ?? []
        case .outOfRange, .refused, .faulty, .otherForm: kind = .invalid
        case .notUnderstood: kind = .failed
        case .file(let file):
            switch file.kind {
            case .busy: kind = .unavailable
            case .notPermitted, .belongsToAnother, .readOnly, .foreignLink: kind = .notAllowed
            case .noSpace, .noFolder, .notAFile, .system: kind = .failed
            }
        }
        self.init(kind, "\(failure)", candidates: candidates)
    }

    /// Why the stop directory gives no answer.
    init(_ failure: DirectoryFailure) {
        let kind: Kind =
            switch failure.kind {
            case .missing, .busy: .unavailable
            case .unwritable: .notAllowed
            case .corrupt, .newer, .older, .unreadable, .full, .nothing, .half, .other: .failed
            }
        self.init(kind, "\(failure)")
    }

    /// Why the configuration was not taken over.
    init(_ failure: ReloadFailure) {
        switch failure {
        case .faulty(let faults):
            self.init(
                .invalid, "the configuration is faulty; the old one stays",
                faults: faults.faults.map { fault in
                    Fault(
                        file: fault.file, line: fault.place?.line, column: fault.place?.column, message: fault.message)
                })
        case .feed(let failure):
            self.init(.invalid, "\(failure); the old configuration stays")
        case .noThread(let failure):
            self.init(.failed, "\(failure)")
        }
    }

    /// Why an operator could not be asked.
    init(_ failure: FeedFailure) {
        let kind: Kind =
            switch failure.kind {
            case .unknownStop: .notFound
            case .keyRefused, .keyMissing: .notAllowed
            case .noNetwork, .certificateDate, .certificate, .timedOut, .throttled, .status, .unreadable, .cancelled:
                .unavailable
            }
        self.init(kind, failure.detail)
    }
}

extension Candidate {
    /// A stop that may have been meant.
    init(_ stop: ListedStop) {
        let letter = stop.letter.map { " \($0)" } ?? ""
        self.init(id: stop.id.description, name: stop.name + letter)
    }
}
