internal import BoardCore
internal import BoardThreads

// Newer archives: looked for beside the questions, and never instead of what serves.

extension TimetableLibrary {
    /// Looks now and then, beside the questions, whether there is a newer archive.
    func lookAfter() {
        let now = clock.now()
        guard tending == nil, loading == nil, now >= nextLook else { return }
        nextLook = now + Self.lookEvery
        tending = Task { await self.tend() }
    }

    private func tend() async {
        defer { tending = nil }
        await lookAtFile()
        do throws(FeedFailure) {
            if try await isDue() {
                try await take(isAnew: badEdition != nil)
                badEdition = nil
                complain(nil)
            }
        } catch {
            let wait = error.kind == .unreadable ? Self.askAfterBadArchive : Self.askAfterFailure
            nextAsking = clock.now() + wait
            complain(error.detail)
        }
        warnOfEnd()
    }

    /// Reads the archive anew if it is another one than before: a person or another process has replaced it.
    private func lookAtFile() async {
        var edition: KeptArchive.Edition?
        do throws(FeedFailure) {
            guard let path = try await present() else { return }
            edition = try await onThread { KeptArchive.edition(of: path) }
            switch edition {
            case nil:
                throw FeedFailure(
                    .unreadable, detail: "the timetable of \(title): \(path) is not there any more", requests: 0)
            case loaded?.edition:
                // One that was bad has been taken back.
                if badEdition != nil || isFile { complain(nil) }
                badEdition = nil
            case badEdition: break
            default:
                publish(try await read(path))
                badEdition = nil
                complain(nil)
            }
        } catch {
            badEdition = edition
            complain(error.detail)
        }
    }

    private var isFile: Bool {
        if case .file = source { true } else { false }
    }

    /// Whether the operator is to be asked for another archive.
    private func isDue() async throws(FeedFailure) -> Bool {
        guard case .address = source, let kept, clock.now() >= nextAsking else { return false }
        let today = clock.reading().wall
        let isNearEnd = loaded.map { $0.isNearEnd(at: today) } ?? false
        let checked = try await onThread { kept.origin?.checked }
        guard let checked, badEdition == nil else { return true }
        // A clock that was put back must not make it wait for years.
        return today - checked >= (isNearEnd ? Self.askEveryNearEnd : Self.askEvery) || checked > today
    }

    /// Takes another archive if the operator has one, and keeps it if it can be read.
    ///
    /// - Parameter isAnew: whether what is kept cannot be read, so that it counts for nothing.
    func take(isAnew: Bool = false) async throws(FeedFailure) {
        guard case .address(let url) = source, let kept, let storage else { return }
        var taking = ArchiveTaking(kept, from: url, key, title: title, over: storage.download(), clock)
        taking.isAnew = isAnew
        switch try await taking.run() {
        case .unchanged:
            if loaded == nil, !wanted.isEmpty { publish(try await read(kept.path)) }
        case .taken(let origin, let file):
            let new: Loaded
            do throws(FeedFailure) {
                new = try await read(kept.part, called: url.description)
            } catch {
                _ = try? await onThread { file.discard() }
                throw error
            }
            let refusal = try await onThread { () -> KeepingFailure? in
                do throws(KeepingFailure) {
                    try kept.accept(file, from: origin)
                    return nil
                } catch {
                    file.discard()
                    return error
                }
            }
            if let refusal {
                throw FeedFailure(.unreadable, detail: "the timetable of \(title) cannot be kept: \(refusal)")
            }
            publish(new)
        }
    }

    /// Says what is wrong when it begins to be, and when it is over.
    private func complain(_ sentence: String?) {
        guard (sentence != nil) != isComplaining else { return }
        isComplaining = sentence != nil
        storage?.note(
            sentence.map { .trouble("\($0). The timetable of before stays, and a newer one is looked for") }
                ?? .recovered("the timetable of \(title) is up to date again"))
    }

    /// Says once that the timetable ends, a week before, and once that there is a newer one.
    private func warnOfEnd() {
        guard let loaded, let last = loaded.report.lastDay else { return }
        let left = loaded.daysLeft(at: clock.reading().wall) ?? 0
        guard (left <= Self.nearEnd) != isEndSaid else { return }
        isEndSaid = left <= Self.nearEnd
        let remedy =
            switch source {
            case .address: "the operator has no newer one yet and is asked daily"
            case .file(let path): "put a newer one in the place of \(path)"
            }
        storage?.note(
            isEndSaid
                ? .trouble("the timetable of \(title) \(left < 0 ? "ended" : "ends") on \(last.text): \(remedy)")
                : .recovered("the timetable of \(title) now goes on until \(last.text)"))
    }
}

extension CivilDate {
    /// 2026-03-07.
    fileprivate var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))"
    }
}
