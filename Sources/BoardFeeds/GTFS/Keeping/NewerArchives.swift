internal import BoardCore

/// What looking for newer archives has come to, and when to look again. It asks nobody and says nothing by itself.
struct NewerArchives {
    /// How often the archive is looked at: another process may have replaced it.
    private static let lookEvery: Duration = .seconds(60)
    /// How often the operator is asked for another one; and near the end of the one that is kept.
    private static let askEvery: Duration = .seconds(7 * 86_400)
    private static let askEveryNearEnd: Duration = .seconds(86_400)
    /// When the operator is asked again after a failure, and after an archive that cannot be read: that one costs the
    /// network 20 MB each time.
    private static let askAfterFailure: Duration = .seconds(3_600)
    static let askAfterBadArchive: Duration = .seconds(6 * 3_600)

    private var nextLook = Instant(microseconds: .min)
    private var nextAsking = Instant(microseconds: .min)
    /// The archive that is there and cannot be read.
    private var badEdition: KeptArchive.Edition?
    /// What is wrong; nil: nothing is.
    private(set) var failure: FeedFailure?

    /// Whether what is there cannot be read, so that it counts for nothing.
    var isSpoilt: Bool { badEdition != nil }

    /// Whether it is time to look; notes that somebody does.
    mutating func look(at now: Instant) -> Bool {
        guard now >= nextLook else { return false }
        nextLook = now + Self.lookEvery
        return true
    }

    /// Whether the operator is to be asked for another archive.
    ///
    /// - Parameters:
    ///   - origin: of the one that is kept; nil: nobody knows.
    ///   - isNearEnd: whether that one is over, or soon is.
    ///   - moment: the wall clock at `now`.
    func isDue(_ origin: ArchiveOrigin?, isNearEnd: Bool, at now: Instant, moment: Timestamp) -> Bool {
        guard now >= nextAsking else { return false }
        guard let origin, !isSpoilt else { return true }
        if let next = origin.next, origin.checked < next, next <= moment { return true }
        // A clock that was put back must not make it wait for years.
        return moment - origin.checked >= (isNearEnd ? Self.askEveryNearEnd : Self.askEvery)
            || origin.checked > moment
    }

    /// Whether an archive was found to be bad before.
    func isKnownToBeBad(_ edition: KeptArchive.Edition) -> Bool { edition == badEdition }

    /// What is there serves, and nothing is wrong with it.
    mutating func succeeded() {
        (badEdition, failure) = (nil, nil)
    }

    /// What is there cannot be read, or is not there any more.
    mutating func failed(_ failure: FeedFailure, reading edition: KeptArchive.Edition?) {
        badEdition = edition
        self.failure = failure
    }

    /// The operator has nothing that can be taken.
    mutating func failed(_ failure: FeedFailure, askingAt now: Instant) {
        nextAsking = now + (failure.kind == .unreadable ? Self.askAfterBadArchive : Self.askAfterFailure)
        self.failure = failure
    }
}
