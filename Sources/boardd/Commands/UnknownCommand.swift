internal import ArgumentParser
internal import BoardCore

/// A word of a command line where a subcommand is expected, and that is none.
struct UnknownCommand: CustomStringConvertible {
    private let word: String
    /// The commands before the word: ["boardd", "stops"].
    private let path: [String]
    private let parent: CommandConfiguration

    /// - Parameter words: a command line that ArgumentParser rejects.
    /// - Returns: nil where every subcommand exists: something else is wrong.
    init?(_ words: [String]) {
        var parent = Boardd.configuration
        var path = [parent.name]
        for word in words {
            // Options and `help` belong to the parser, and the words after the last command to that command.
            guard !parent.subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let next = parent.commands.first(where: { $0.names.contains(word) }) else {
                self.word = word
                self.path = path
                self.parent = parent
                return
            }
            parent = next
            path.append(next.name)
        }
        return nil
    }

    /// The message: what was meant, or what there is, and where the help is.
    var description: String {
        let command = path.joined(separator: " ")
        return """
            Error: '\(word)' is no command of \(command); \(suggestion)
              See '\(command) --help' for more information.

            """
    }

    private var suggestion: String {
        if let near = Spelling.nearest(to: word, of: parent.commands.flatMap(\.names)) {
            return "did you mean \(near)?"
        }
        // A command of another level: `boardd search` for `boardd stops search`.
        let elsewhere = Boardd.configuration.paths.filter { $0.last == word }.map { $0.joined(separator: " ") }
        guard elsewhere.isEmpty else { return "did you mean \(elsewhere.joined(separator: " or "))?" }
        return "its commands are \(parent.commands.map(\.name).joined(separator: ", "))."
    }
}

extension CommandConfiguration {
    fileprivate var name: String { commandName ?? "" }
    /// The name and its aliases.
    fileprivate var names: [String] { [name] + aliases }
    fileprivate var commands: [CommandConfiguration] { subcommands.map { $0.configuration } }
    /// The names from this command to each command below it.
    fileprivate var paths: [[String]] {
        commands.flatMap { [[$0.name]] + $0.paths }.map { [name] + $0 }
    }
}
