internal import BoardCore
internal import BoardIO
internal import BoardService
internal import BoardSimulation
internal import BoardStore
internal import Glibc

/// The end of `boardd setup`: writes the files, starts the board, and prints what it shows of the stop.
struct SetupResult {
    /// A started board loads its first departures in this time.
    private static let startLimit = 30

    let configuration: ConfigurationOption
    let staged: StagedConfiguration
    /// Nil: the files are not those of the machine's service.
    let service: InstalledService?
    let choice: SetupSession.Choice

    func apply() async throws {
        let written: [String]
        do throws(ServiceError) {
            written = try publish()
        } catch {
            await service?.resumeFromTask()
            throw error
        }
        for path in written { try StandardOutput.write("written: \(path)\n") }
        if written.isEmpty { try StandardOutput.write("everything was set up already\n") }
        if let zone = choice.zone, !zone.isEmpty { await command(["timedatectl", "set-timezone", zone]) }
        let isShown = try await start(hasNewKeys: written.contains { $0.hasSuffix("keys.env") })
        try StandardOutput.write(FrameText(try await preview()).lines.map { $0 + "\n" }.joined())
        if !isShown, configuration.file == nil {
            try StandardOutput.write("The board shows this when it runs: boardd run, or sudo systemctl start boardd\n")
        }
    }

    private func publish() throws(ServiceError) -> [String] {
        do throws(FileFailure) {
            return try staged.publish()
        } catch {
            throw error.kind == .busy
                ? ServiceError(
                    .conflict, "\(error.file) was changed meanwhile; nothing was written. Run boardd setup again")
                : ServiceError(FavouritesFailure.file(error))
        }
    }

    /// Starts the installed service, or makes the running board use the files.
    ///
    /// - Returns: whether a board runs and has the stop's departures, for which it waits.
    private func start(hasNewKeys: Bool) async throws -> Bool {
        guard configuration.file == nil else { return false }
        if let service {
            try await DedicatedThread.run("setup") { service.restart() }
        } else {
            do throws(ServiceError) {
                try await ConfigurationOption.runningBoard().reload()
            } catch {
                guard error.kind == .noDaemon else { throw error }
                return false
            }
            if hasNewKeys { StandardError.write("remark: a new key needs a restart of the board\n") }
        }
        let stop = choice.stop?.description
        for _ in 0..<Self.startLimit {
            if let state = try? await ConfigurationOption.runningBoard().state(),
                state.stops.contains(where: { $0.stop == stop && $0.status != .loading })
            {
                return true
            }
            await SystemClock().sleep(for: .seconds(1))
        }
        StandardError.write(
            "remark: the board has no departures yet; boardd status shows why, boardd doctor what to do\n")
        return false
    }

    /// What the board shows with this favourite alone.
    private func preview() async throws -> Frame {
        let active = try await configuration.localService().configurationInUse()
        let loaded = active.configuration
        let favourites = active.favourites.favourites.filter { $0.stop == choice.stop }
        let setup = Board.Setup(
            options: loaded.board, favourites: favourites, buttons: loaded.buttons.map(\.binding),
            profiles: active.profiles, size: loaded.display.panel.size, zone: MachineZone.current,
            directoryStops: active.favourites.known)
        let clock = SystemClock()
        let now = clock.now()
        var board = Board(setup, reading: clock.reading(), seed: 0, at: now)
        if let favourite = favourites.first {
            switch choice.response {
            case .success(let response)?: _ = board.handle(.polled(response), at: now)
            case .failure(let failure)?: _ = board.handle(.failed(favourite.stop, failure), at: now)
            case nil: break
            }
        }
        // After the splash.
        let shown = now + Self.splash
        _ = board.handle(.woke, at: shown)
        return board.render(at: shown).frame
    }

    private static let splash = Duration.seconds(3)

    private func command(_ words: [String]) async {
        let environment = Environment.current
        let output = try? await DedicatedThread.run("setup") { Subprocess.output(words, environment: environment) }
        guard let text = output.flatMap(\.self) else {
            StandardError.write("remark: \(words.joined(separator: " ")) could not be run\n")
            return
        }
        if !text.isEmpty { StandardError.write(text) }
    }
}
