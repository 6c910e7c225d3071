import BoardCore
import BoardIO
import BoardService

/// One entry of the dialogue of `boardd setup`.
struct SetupStep {
    /// The option that gives the entry instead: "stop" of `--stop`.
    let option: String
    /// What `?` prints at its prompt.
    let help: String
    /// The prompt; nil: the entry is not needed, or is known already.
    let prompt: (SetupSession) async throws(ServiceError) -> SetupPrompt?
    /// Checks the entry and remembers it, or prepares its effect.
    ///
    /// - Throws: ``ServiceError`` for an entry that is wrong; the prompt is repeated.
    let take: (SetupSession, String) async throws(ServiceError) -> Void
}

struct SetupPrompt {
    let text: String
    /// The choices, printed with numbers from 1 before the prompt.
    var choices: [String] = []
    /// The entry of an empty line; nil: there is none.
    var standard: String?
    /// Whether the terminal does not show what is typed.
    var isHidden = false
}

/// Runs the steps: in a terminal, or with options alone.
struct SetupDialogue {
    /// The entries that were given as options.
    let options: [String: String]
    /// Whether prompts are printed; false: their standard entries are used.
    let isInteractive: Bool

    /// - Throws: ``ServiceError`` for a wrong option, or a missing one without prompts; `CancellationError` at the end of the input.
    func run(_ steps: [SetupStep], _ session: SetupSession) async throws {
        /// The steps that were answered at a prompt, and what was known before each.
        var answered: [(index: Int, before: SetupSession.Memory)] = []
        var index = 0
        while index < steps.count {
            let before = session.memory
            switch try await run(steps[index], session) {
            case .known: index += 1
            case .answered:
                answered.append((index, before))
                index += 1
            case .back:
                if answered.isEmpty { StandardError.write("This is the first step; Ctrl-C ends without a change.\n") }
                guard let last = answered.popLast() else { continue }
                try session.restore(last.before)
                index = last.index
            }
        }
    }

    private enum Outcome {
        /// An option or an earlier entry gave it, or it is not needed.
        case known
        case answered
        case back
    }

    private func run(_ step: SetupStep, _ session: SetupSession) async throws -> Outcome {
        session.isAtPrompt = false
        if let given = options[step.option] {
            // What only prepares a prompt, such as a search, is done for an option, too.
            _ = try await step.prompt(session)
            try await step.take(session, given)
            return .known
        }
        var isRepeated = false
        while let prompt = try await step.prompt(session) {
            guard isInteractive else {
                guard let standard = prompt.standard else {
                    throw ServiceError(.malformed, "--\(step.option) is missing: with --yes nothing is prompted for")
                }
                try await step.take(session, standard)
                return .known
            }
            for (index, choice) in prompt.choices.enumerated() where !isRepeated {
                try StandardOutput.write("\(index < 9 ? " " : "")\(index + 1)  \(choice)\n")
            }
            let standard = prompt.standard.map { $0.isEmpty ? "" : " [\($0)]" } ?? ""
            let line = try await TerminalLine.read("\(prompt.text)\(standard): ", isHidden: prompt.isHidden)
            switch line.lowercased() {
            case "back": return .back
            case "?":
                isRepeated = false
                StandardError.write("\(step.help) \"back\" returns to the step before.\n")
                continue
            default: isRepeated = true
            }
            session.isAtPrompt = true
            do throws(ServiceError) {
                try await step.take(session, line.isEmpty ? prompt.standard ?? "" : line)
                return .answered
            } catch {
                StandardError.write(CommandError(error).text)
            }
        }
        return .known
    }

    /// The index of a choice, by its number from 1 or the beginning of its text.
    static func index(_ entry: String, of choices: [String]) throws(ServiceError) -> Int {
        guard !choices.isEmpty else {
            throw ServiceError(.malformed, "\"\(entry)\": there is nothing to choose from")
        }
        let words = entry.lowercased()
        let named = choices.indices.filter { choices[$0].lowercased().hasPrefix(words) }
        if Int(entry) == nil, !words.isEmpty, named.count == 1 { return named[0] }
        guard let number = Int(entry), choices.indices.contains(number - 1) else {
            throw ServiceError(.malformed, "\"\(entry)\" must be a number from 1 to \(choices.count), or a name")
        }
        return number - 1
    }

    /// The indices of the choices in an entry, as numbers or names with commas between them, and the parts that are none.
    static func chosen(_ entry: String, of choices: [String]) -> (found: [Int], unknown: [String]) {
        var (found, unknown): ([Int], [String]) = ([], [])
        for part in entry.split(separator: ",") {
            let words = Folding.words(String(part))
            let number = Int(String(part.filter { !$0.isWhitespace }))
            let named = choices.firstIndex { Folding.words($0) == words }
            let numbered = number.flatMap { choices.indices.contains($0 - 1) ? $0 - 1 : nil }
            guard let choice = named ?? numbered else {
                unknown.append(String(part.drop { $0 == " " }))
                continue
            }
            if !found.contains(choice) { found.append(choice) }
        }
        return (found, unknown)
    }
}
