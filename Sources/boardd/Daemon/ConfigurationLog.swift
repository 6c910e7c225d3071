internal import BoardCore
internal import BoardStore
internal import Logging
internal import Synchronization

/// Says in the log what is wrong with the configuration, when it is another thing than was said last: a reload costs
/// whoever asks for it nothing, and an SD card dies of writing.
final class ConfigurationLog: Sendable {
    private struct Logged {
        var faults: [String] = []
        var failures: [String] = []
    }

    private let logger: Logger
    private let said = Mutex(Logged())

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// The configuration is faulty.
    ///
    /// - Parameter consequence: what follows from it; nil: nobody need be told.
    func faulty(_ faults: [String], so consequence: String? = nil) {
        let isNew = said.withLock { said in
            defer { said.faults = faults }
            return said.faults != faults
        }
        guard isNew else { return }
        for fault in faults { logger.error("\(fault)") }
        if let consequence { logger.error("\(consequence)") }
    }

    /// The configuration is good.
    ///
    /// - Parameters:
    ///   - isChanged: whether anything is another than before.
    ///   - summary: what it comes to now.
    func valid(isChanged: Bool, _ summary: String) {
        let wasFaulty = said.withLock { said in
            defer { said.faults = [] }
            return !said.faults.isEmpty
        }
        if wasFaulty {
            logger.notice("the configuration is good again: \(summary)")
        } else if isChanged {
            logger.notice("the configuration was read anew: \(summary)")
        }
    }

    /// Looked for near stops; the directory could not be asked for these reasons, perhaps none.
    func searched(_ failures: [DirectoryFailure]) {
        var sentences: [String] = []
        // Every wish meets the same ones.
        for sentence in failures.map(\.description) where !sentences.contains(sentence) { sentences.append(sentence) }
        let isNew = said.withLock { said in
            defer { said.failures = sentences }
            return said.failures != sentences
        }
        guard isNew else { return }
        for sentence in sentences { logger.warning("near stops are left out: \(sentence)") }
    }
}

extension FavouriteResolution {
    /// Looks everything up, and says what keeps near stops away.
    init(_ entries: [FavouriteEntry], in directory: StopDirectory, log: ConfigurationLog) {
        var failures: [DirectoryFailure] = []
        self.init(entries, in: directory) { failures.append($0) }
        log.searched(failures)
    }
}
