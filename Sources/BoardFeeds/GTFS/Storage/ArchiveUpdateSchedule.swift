internal import BoardCore

/// What looking for newer archives has come to, and when to look again. It asks nobody and says nothing by itself.
struct ArchiveUpdateSchedule {
    /// How often the archive is looked at: another process may have replaced it.
    private static let checkInterval: Duration = .seconds(60)
    /// How often the operator is asked for another one; and near the end of the one that is kept.
    private static let downloadInterval: Duration = .seconds(7 * 86_400)
    private static let downloadIntervalNearEnd: Duration = .seconds(86_400)
    /// When the operator is asked again after a failure, and after an archive that cannot be read: that one costs the
    /// network 20 MB each time.
    private static let retryAfterFailure: Duration = .seconds(3_600)
    static let retryAfterBadArchive: Duration = .seconds(6 * 3_600)

    private var nextCheck = Instant(microseconds: .min)
    private var nextDownload = Instant(microseconds: .min)
    /// The archive that is there and cannot be read.
    private var badEdition: ArchiveStore.FileIdentity?
    /// What is wrong; nil: nothing is.
    private(set) var failure: FeedFailure?

    /// Whether what is there cannot be read, so that it counts for nothing.
    var isUnreadable: Bool { badEdition != nil }

    /// Whether it is time to look; notes that somebody does.
    mutating func isCheckDue(at now: Instant) -> Bool {
        guard now >= nextCheck else { return false }
        nextCheck = now + Self.checkInterval
        return true
    }

    /// Whether the operator is to be asked for another archive.
    ///
    /// - Parameters:
    ///   - origin: of the one that is kept; nil: nobody knows.
    ///   - isNearEnd: whether that one is over, or soon is.
    ///   - moment: the wall clock at `now`.
    func isDue(_ origin: ArchiveOrigin?, isNearEnd: Bool, at now: Instant, moment: Timestamp) -> Bool {
        guard now >= nextDownload else { return false }
        guard let origin, !isUnreadable else { return true }
        if let next = origin.next, origin.checkedAt < next, next <= moment { return true }
        // A clock that was put back must not make it wait for years.
        return moment - origin.checkedAt >= (isNearEnd ? Self.downloadIntervalNearEnd : Self.downloadInterval)
            || origin.checkedAt > moment
    }

    /// Whether an archive was found to be bad before.
    func isKnownToBeBad(_ identity: ArchiveStore.FileIdentity) -> Bool { identity == badEdition }

    /// What is there serves, and nothing is wrong with it.
    mutating func succeeded() {
        (badEdition, failure) = (nil, nil)
    }

    /// What is there cannot be read, or is not there any more.
    mutating func failed(_ failure: FeedFailure, reading identity: ArchiveStore.FileIdentity?) {
        badEdition = identity
        self.failure = failure
    }

    /// The operator has nothing that can be taken.
    mutating func failed(_ failure: FeedFailure, downloadingAt now: Instant) {
        nextDownload = now + (failure.kind == .unreadable ? Self.retryAfterBadArchive : Self.retryAfterFailure)
        self.failure = failure
    }
}
