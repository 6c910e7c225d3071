internal import BoardCore
internal import BoardThreads

// Newer archives: looked for beside the questions, and never instead of what serves.

extension TimetableStore {
    /// Looks now and then, beside the questions, whether there is a newer archive.
    func checkForUpdateIfDue() {
        guard updateTask == nil, loading == nil, updates.isCheckDue(at: clock.now()) else { return }
        updateTask = Task { await self.runUpdate() }
    }

    /// Waits until nothing goes on beside the questions.
    func waitForUpdate() async {
        await updateTask?.value
    }

    private func runUpdate() async {
        defer { updateTask = nil }
        await reloadIfChanged()
        do throws(FeedFailure) {
            if try await isDue() {
                try await download(ignoresStored: updates.isUnreadable)
                updates.succeeded()
            }
        } catch {
            updates.failed(error, downloadingAt: clock.now())
        }
        log.logFailure(updates.failure)
        guard let loaded else { return }
        let origin = try? await origin()
        log.logExpiry(of: loaded, next: origin?.next, at: clock.reading().wall)
    }

    /// Reads the archive anew if it is another one than before: a person or another process has replaced it.
    private func reloadIfChanged() async {
        var identity: ArchiveStore.FileIdentity?
        do throws(FeedFailure) {
            guard let path = try await storedPath() else { return }
            identity = try await onThread { ArchiveStore.identity(of: path) }
            guard let identity else {
                throw FeedFailure(
                    .unreadable, detail: "the timetable of \(title): \(path) is not there any more", requests: 0)
            }
            if updates.isKnownToBeBad(identity) { return }
            if identity != loaded?.identity {
                publish(try await read(path))
            } else if !updates.isUnreadable, source.url != nil {
                // What is wrong is with the operator.
                return
            }
            updates.succeeded()
        } catch {
            updates.failed(error, reading: identity)
        }
        log.logFailure(updates.failure)
    }

    /// Whether the operator is to be asked for another archive.
    private func isDue() async throws(FeedFailure) -> Bool {
        guard source.url != nil, store != nil else { return false }
        let moment = clock.reading().wall
        let isNearEnd = loaded.map { $0.isNearEnd(at: moment) } ?? false
        return updates.isDue(try await origin(), isNearEnd: isNearEnd, at: clock.now(), moment: moment)
    }

    private func origin() async throws(FeedFailure) -> ArchiveOrigin? {
        let store = store
        return try await onThread { store?.origin }
    }

    /// Takes another archive if the operator has one, and keeps it if it can be read and is true by now.
    ///
    /// - Parameter isAnew: whether what is kept cannot be read, so that it counts for nothing.
    func download(ignoresStored: Bool = false) async throws(FeedFailure) {
        guard let url = source.url, let store, let storage else { return }
        try await requireNoRepeatedCrash(store)
        let progressLog = log
        var download = ArchiveDownload(
            store, from: url, key, title: title, over: storage.download(), clock,
            progress: { progressLog.logProgress($0, $1) })
        download.ignoresStored = ignoresStored
        guard case .downloaded(let origin, let file) = try await download.run() else { return }
        do throws(FeedFailure) {
            let new = try await read(store.part, called: url.description)
            if !ignoresStored, let startsAt = new.startsAt, startsAt > clock.reading().wall, await isStoredInEffect() {
                try await postpone(file, until: startsAt, url)
                log.logNextArchive(new)
                return
            }
            try await writingStore { () throws(ArchiveStoreFailure) in try store.commit(file, from: origin) }
            publish(new)
        } catch {
            _ = try? await onThread { file.discard() }
            throw error
        }
    }

    /// Whether what is kept is true now.
    private func isStoredInEffect() async -> Bool {
        guard let path = try? await storedPath() else { return false }
        // Whoever keeps the list of stops has not read it before.
        let old: Loaded? = if let loaded { loaded } else { try? await read(path) }
        return old?.isInEffect(at: clock.reading().wall) ?? false
    }

    /// Throws an archive away that is not true yet, and notes that the operator was asked.
    private func postpone(_ file: PartFile, until startsAt: Timestamp, _ url: HTTPURL) async throws(FeedFailure) {
        guard let store else { return }
        let moment = clock.reading().wall
        try await writingStore { () throws(ArchiveStoreFailure) in
            var origin = store.origin ?? ArchiveOrigin(url: url.description, checkedAt: moment)
            (origin.checkedAt, origin.next) = (moment, startsAt)
            try store.note(origin)
            file.discard()
        }
    }

    /// That the operator's archives did not end the program lately, one after the other, when they were read.
    ///
    /// - Throws: ``FeedFailure`` until the time after which an archive that cannot be read is asked for again.
    private func requireNoRepeatedCrash(_ store: ArchiveStore) async throws(FeedFailure) {
        guard let note = try await onThread({ store.mark(of: store.part).note }),
            note.attempts >= CrashMarker.mostAttempts
        else { return }
        let (passed, pause) = (clock.reading().wall - note.startedAt, ArchiveUpdateSchedule.retryAfterBadArchive)
        // A clock that was put back must not make it wait for years.
        guard (.zero - pause..<pause).contains(passed) else { return }
        throw FeedFailure(
            .unreadable,
            detail:
                "the timetable of \(title): the operator's archive ended the program \(note.attempts) times while it was "
                + "read; it is asked for again six hours after the last time", requests: 0)
    }

    /// Does something with the kept files on a thread of its own.
    func writingStore(_ body: @escaping @Sendable () throws(ArchiveStoreFailure) -> Void) async throws(FeedFailure) {
        let failure = try await onThread { () -> ArchiveStoreFailure? in
            do throws(ArchiveStoreFailure) {
                try body()
                return nil
            } catch {
                return error
            }
        }
        guard let failure else { return }
        throw FeedFailure(.unreadable, detail: "the timetable of \(title) cannot be kept: \(failure)")
    }
}
