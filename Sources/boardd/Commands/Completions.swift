internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardService
internal import BoardStore

// Completions that depend on the machine's files. The scripts of the shells call this program for them.
extension CompletionKind {
    /// One's own favourites: by label and by `feed:code`.
    static let favourites = custom { words, _, _ in
        let favourites = partial(words).favourites
        let labels = favourites.compactMap { favourite in
            favourite.label.map { completion($0, "\(favourite.stop)") }
        }
        return labels
            + favourites.map { favourite in
                // bash treats the colon as the end of a word, and the code alone is understood.
                let isBash = CompletionShell.requesting == .bash
                return completion(
                    isBash ? favourite.stop.code : "\(favourite.stop)", favourite.label ?? favourite.name ?? "")
            }
    }

    /// All feeds, the configured ones first.
    static let feeds = custom { words, _, _ in
        partial(words).feedNames(of: FeedRegistry.declarations).filter {
            FeedRegistry.declarations[FeedName($0)] != nil
        }
        .map { completion($0, FeedRegistry.declarations[FeedName($0)]?.title ?? "") }
    }

    /// The devices that are paired with the running board, for members of its group.
    static let devices = custom { (_: [String], _: Int, _: String) async -> [String] in
        let board = RemoteBoardService(
            path: Folders(environment: Environment.current).controlSocket, timeout: .seconds(2))
        return ((try? await board.devices()) ?? []).map { completion($0.name, "paired \($0.pairedAt)") }
    }

    /// The modes of the lines in the stop directory.
    static let modes = custom { _, _, _ in
        let lines = (try? StopDirectory.installed.lines())?.found ?? []
        return Set(lines.compactMap(\.line.mode)).sorted().map { completion($0, "") }
    }

    /// The configuration of a command line, as far as it is readable.
    private static func partial(_ words: [String]) -> Configuration {
        let option = words.firstIndex(of: "--config").map { words.index(after: $0) }
        let file = option.flatMap { words.indices.contains($0) && !words[$0].isEmpty ? words[$0] : nil }
        do {
            return try ConfigurationOption.load(ConfigurationOption.source(file))
        } catch {
            return error.partial
        }
    }

    /// A value and its meaning in the notation of the shell that calls.
    private static func completion(_ value: String, _ meaning: String) -> String {
        let (value, meaning) = (value.asPrintedLine, meaning.asPrintedLine)
        switch CompletionShell.requesting?.rawValue {
        case "bash":
            // bash expands the words of a list: without a backslash, a label could run a command.
            return value.map { $0.isLetter || $0.isNumber ? "\($0)" : "\\\($0)" }.joined()
        case "zsh":
            let escaped = value.map { $0 == ":" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
            return meaning.isEmpty ? escaped : "\(escaped):\(meaning)"
        case "fish": return meaning.isEmpty ? value : "\(value)\t\(meaning)"
        default: return value
        }
    }
}
