internal import BoardCore
internal import BoardFormats
internal import BoardIO

// Updates run in the background and replace a timetable only by a better one.

extension TimetableStore {
    /// Starts a background check for a newer archive, if one is due.
    func checkForUpdateIfDue() {
        guard updateTask == nil, loading == nil, updates.isCheckDue(at: clock.now()) else { return }
        updateTask = Task { await self.runUpdate() }
    }

    /// Waits for the background check, if one is running.
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

    /// Reads the archive again if a user or another process has replaced it.
    private func reloadIfChanged() async {
        var identity: FileIdentity?
        do throws(FeedFailure) {
            guard let path = try await storedPath() else { return }
            identity = try await onThread { ArchiveStore.identity(of: path) }
            guard let identity else {
                throw FeedFailure(
                    .unreadable, detail: "the timetable of \(title): \(path) no longer exists", requests: 0)
            }
            if updates.isKnownToBeBad(identity) { return }
            if identity != loaded?.identity {
                publish(try await read(path))
            } else if !updates.isUnreadable, source.url != nil {
                // The file is unchanged, so a failure is one of the download.
                return
            }
            updates.succeeded()
        } catch {
            updates.failed(error, reading: identity)
        }
        log.logFailure(updates.failure)
    }

    /// Whether a download is due.
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

    /// Downloads the operator's archive if it has changed, and stores it if it is readable and in effect.
    ///
    /// - Parameter ignoresStored: whether the stored archive is unreadable, so that any readable one replaces it.
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

    /// Whether the stored timetable is in effect now.
    private func isStoredInEffect() async -> Bool {
        guard let path = try? await storedPath() else { return false }
        // The stop directory's update has not read it before.
        let old: Loaded? = if let loaded { loaded } else { try? await read(path) }
        return old?.isInEffect(at: clock.reading().wall) ?? false
    }

    /// Discards an archive that is not in effect yet, and records its start and the time of the request.
    private func postpone(_ file: PartFile, until startsAt: Timestamp, _ url: HTTPURL) async throws(FeedFailure) {
        guard let store else { return }
        let moment = clock.reading().wall
        try await writingStore { () throws(ArchiveStoreFailure) in
            var origin = store.origin ?? ArchiveOrigin(url: url.description, checkedAt: moment)
            (origin.checkedAt, origin.next) = (moment, startsAt)
            try store.setOrigin(origin)
            file.discard()
        }
    }

    /// Checks that recent downloads did not crash boardd repeatedly while they were read.
    ///
    /// - Throws: ``FeedFailure`` until ``ArchiveUpdateSchedule/retryAfterBadArchive`` after the last crash.
    private func requireNoRepeatedCrash(_ store: ArchiveStore) async throws(FeedFailure) {
        guard let record = try await onThread({ store.crashMarker(of: store.part).record }),
            record.attempts >= CrashMarker.mostAttempts
        else { return }
        let (passed, pause) = (clock.reading().wall - record.startedAt, ArchiveUpdateSchedule.retryAfterBadArchive)
        // A clock that was set back must not delay the download for years.
        guard (.zero - pause..<pause).contains(passed) else { return }
        throw FeedFailure(
            .unreadable,
            detail:
                "the timetable of \(title): the operator's archive crashed boardd \(record.attempts) times; next download "
                + "six hours after the last one", requests: 0)
    }

    /// Changes the stored files on a dedicated thread.
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
        throw FeedFailure(.unreadable, detail: "\(title): the timetable cannot be stored: \(failure)")
    }
}
