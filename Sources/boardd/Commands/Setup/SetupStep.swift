import BoardCore
import BoardIO
import BoardService

/// One entry of the dialogue of `boardd setup`.
struct SetupStep {
    /// The option that gives the entry instead: "stop" of `--stop`.
    let option: String
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
        for step in steps { try await run(step, session) }
    }

    private func run(_ step: SetupStep, _ session: SetupSession) async throws {
        if let given = options[step.option] {
            // What only prepares a prompt, such as a search, is done for an option, too.
            _ = try await step.prompt(session)
            return try await step.take(session, given)
        }
        while let prompt = try await step.prompt(session) {
            guard isInteractive else {
                guard let standard = prompt.standard else {
                    throw ServiceError(.malformed, "--\(step.option) is missing: with --yes nothing is prompted for")
                }
                return try await step.take(session, standard)
            }
            for (index, choice) in prompt.choices.enumerated() {
                try StandardOutput.write("\(index < 9 ? " " : "")\(index + 1)  \(choice)\n")
            }
            let standard = prompt.standard.map { $0.isEmpty ? "" : " [\($0)]" } ?? ""
            let line = try await TerminalLine.read("\(prompt.text)\(standard): ", isHidden: prompt.isHidden)
            let entry = line.isEmpty ? prompt.standard ?? "" : line
            do throws(ServiceError) {
                return try await step.take(session, entry)
            } catch {
                StandardError.write(CommandError(error).text)
            }
        }
    }
}
