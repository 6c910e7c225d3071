internal import BoardCore
internal import BoardThreads

// Newer archives: looked for beside the questions, and never instead of what serves.

extension TimetableLibrary {
    /// Looks now and then, beside the questions, whether there is a newer archive.
    func lookAfter() {
        guard tending == nil, loading == nil, newer.look(at: clock.now()) else { return }
        tending = Task { await self.tend() }
    }

    /// Waits until nothing goes on beside the questions.
    func settled() async {
        await tending?.value
    }

    private func tend() async {
        defer { tending = nil }
        await lookAtFile()
        do throws(FeedFailure) {
            if try await isDue() {
                try await take(isAnew: newer.isSpoilt)
                newer.succeeded()
            }
        } catch {
            newer.failed(error, askingAt: clock.now())
        }
        voice.complain(newer.failure)
        guard let loaded else { return }
        let origin = try? await origin()
        voice.tellEnd(of: loaded, next: origin?.next, at: clock.reading().wall)
    }

    /// Reads the archive anew if it is another one than before: a person or another process has replaced it.
    private func lookAtFile() async {
        var edition: KeptArchive.Edition?
        do throws(FeedFailure) {
            guard let path = try await present() else { return }
            edition = try await onThread { KeptArchive.edition(of: path) }
            guard let edition else {
                throw FeedFailure(
                    .unreadable, detail: "the timetable of \(title): \(path) is not there any more", requests: 0)
            }
            if newer.isKnownToBeBad(edition) { return }
            if edition != loaded?.edition {
                publish(try await read(path))
            } else if !newer.isSpoilt, source.url != nil {
                // What is wrong is with the operator.
                return
            }
            newer.succeeded()
        } catch {
            newer.failed(error, reading: edition)
        }
        voice.complain(newer.failure)
    }

    /// Whether the operator is to be asked for another archive.
    private func isDue() async throws(FeedFailure) -> Bool {
        guard source.url != nil, kept != nil else { return false }
        let moment = clock.reading().wall
        let isNearEnd = loaded.map { $0.isNearEnd(at: moment) } ?? false
        return newer.isDue(try await origin(), isNearEnd: isNearEnd, at: clock.now(), moment: moment)
    }

    private func origin() async throws(FeedFailure) -> ArchiveOrigin? {
        let kept = kept
        return try await onThread { kept?.origin }
    }

    /// Takes another archive if the operator has one, and keeps it if it can be read and is true by now.
    ///
    /// - Parameter isAnew: whether what is kept cannot be read, so that it counts for nothing.
    func take(isAnew: Bool = false) async throws(FeedFailure) {
        guard let url = source.url, let kept, let storage else { return }
        try await requireHarmless(kept)
        let log = voice
        var taking = ArchiveTaking(
            kept, from: url, key, title: title, over: storage.download(), clock,
            progress: { log.tellProgress($0, $1) })
        taking.isAnew = isAnew
        guard case .taken(let origin, let file) = try await taking.run() else { return }
        do throws(FeedFailure) {
            let new = try await read(kept.part, called: url.description)
            if !isAnew, let begins = new.begins, begins > clock.reading().wall, await serves() {
                try await leave(file, until: begins, url)
                voice.tellNext(new)
                return
            }
            try await keeping { () throws(KeepingFailure) in try kept.accept(file, from: origin) }
            publish(new)
        } catch {
            _ = try? await onThread { file.discard() }
            throw error
        }
    }

    /// Whether what is kept is true now.
    private func serves() async -> Bool {
        guard let path = try? await present() else { return false }
        // Whoever keeps the list of stops has not read it before.
        let old: Loaded? = if let loaded { loaded } else { try? await read(path) }
        return old?.isTrue(at: clock.reading().wall) ?? false
    }

    /// Throws an archive away that is not true yet, and notes that the operator was asked.
    private func leave(_ file: ArchiveFile, until begins: Timestamp, _ url: HTTPURL) async throws(FeedFailure) {
        guard let kept else { return }
        let moment = clock.reading().wall
        try await keeping { () throws(KeepingFailure) in
            var origin = kept.origin ?? ArchiveOrigin(url: url.description, checked: moment)
            (origin.checked, origin.next) = (moment, begins)
            try kept.note(origin)
            file.discard()
        }
    }

    /// That the operator's archives did not end the program lately, one after the other, when they were read.
    ///
    /// - Throws: ``FeedFailure`` until the time after which an archive that cannot be read is asked for again.
    private func requireHarmless(_ kept: KeptArchive) async throws(FeedFailure) {
        guard let note = try await onThread({ kept.mark(of: kept.part).note }),
            note.attempts >= ReadingMark.mostAttempts
        else { return }
        let (passed, pause) = (clock.reading().wall - note.begun, NewerArchives.askAfterBadArchive)
        // A clock that was put back must not make it wait for years.
        guard (.zero - pause..<pause).contains(passed) else { return }
        throw FeedFailure(
            .unreadable,
            detail:
                "the timetable of \(title): the operator's archive ended the program \(note.attempts) times while it was "
                + "read; it is asked for again six hours after the last time", requests: 0)
    }

    /// Does something with the kept files on a thread of its own.
    func keeping(_ body: @escaping @Sendable () throws(KeepingFailure) -> Void) async throws(FeedFailure) {
        let failure = try await onThread { () -> KeepingFailure? in
            do throws(KeepingFailure) {
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
