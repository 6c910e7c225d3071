internal import BoardCore
internal import BoardService
internal import BoardStore
internal import Glibc
internal import UnixSignals

// The copy, and the end of a dialogue by a signal.
extension SetupSession {
    /// What the dialogue chose, besides the files of the copy.
    struct Choice: Sendable {
        let stop: StopID?
        /// The zone that the machine gets; nil or empty: unchanged.
        let zone: String?
        let response: Result<FeedResponse, FeedFailure>?
    }

    /// The exit status after SIGINT.
    private static let interrupted: Int32 = 130

    var choice: Choice { Choice(stop: stop?.id, zone: zone, response: response) }

    /// A copy of the files. It may contain keys: in memory (/run), if this user may.
    ///
    /// - Throws: ``ServiceError`` where the files cannot be copied.
    static func staged(_ source: ConfigurationSource) throws(ServiceError) -> StagedConfiguration {
        let folder = Environment.current["TMPDIR"] ?? (Folders.isWritable("/run") ? "/run" : "/tmp")
        do throws(FileFailure) {
            return try StagedConfiguration(of: source, in: folder)
        } catch {
            throw ServiceError(FavouritesFailure.file(error))
        }
    }

    /// Runs a dialogue. A signal, or the end of the input, ends the program without a change.
    ///
    /// - Parameter service: started again where the dialogue fails.
    static func run<Value: Sendable>(
        _ staged: StagedConfiguration, _ service: InstalledService? = nil,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                do {
                    return try await body()
                } catch is SetupEnd {
                    end(staged, service, with: ExitStatus.noInput)
                } catch {
                    await service?.resumeFromTask()
                    throw error
                }
            }
            group.addTask {
                for await _ in signals { end(staged, service, with: interrupted) }
                return nil
            }
            defer {
                group.cancelAll()
                for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_DFL) }
            }
            guard let value = try await group.next() ?? nil else { throw SetupEnd() }
            return value
        }
    }

    private static func end(_ staged: StagedConfiguration, _ service: InstalledService?, with status: Int32) -> Never {
        TerminalLine.show()
        staged.remove()
        service?.resume()
        StandardError.write("\nended; nothing was changed\n")
        ProgramEnd.exit(status)
    }
}
