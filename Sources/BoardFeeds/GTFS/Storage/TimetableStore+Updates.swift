internal import BoardCore
internal import BoardFormats
internal import BoardIO

// Updates run in the background and replace a timetable only by a better one.

extension TimetableStore {
    func checkForUpdateIfDue() {
        guard !updating.isRunning, !loading.isRunning, updates.isCheckDue(at: clock.now()) else { return }
        updating.start { await self.update() }
    }

    func waitForUpdate() async {
        _ = await updating.waitForEnd()
    }

    private func update() async {
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
                    .unreadable, detail: "the timetable of \(title): \(path) no longer exists")
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
}
