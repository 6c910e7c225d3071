import ArgumentParser
import BoardControl
import BoardCore
import BoardIO
import BoardService
import BoardStore

/// `boardd config`: prints and changes single settings.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Print or change a setting.",
        discussion: "Example: boardd config get; sudo boardd config set fleet.broker mqtts://broker.local:8883",
        subcommands: [GetSetting.self, SetSetting.self])
}

/// A key of boardd.toml with its table: `display.size`, `feed.gtfs.town.title`, or `button.line` of the first button.
private struct SettingName: CustomStringConvertible {
    let table: String
    let key: String

    init(_ text: String) throws(ServiceError) {
        guard let dot = text.lastIndex(of: "."), dot != text.startIndex, text.last != "." else {
            throw ServiceError(.malformed, "\"\(text)\" is not TABLE.KEY, such as display.size")
        }
        table = String(text[..<dot])
        key = String(text[text.index(after: dot)...])
        guard table != "quiet" else {
            throw ServiceError(.malformed, "quiet hours are tables with several keys: write [[quiet]] in boardd.toml")
        }
    }

    init(_ table: ConfigurationTable, _ value: ConfigurationTable.Value) {
        self.table = table.plainName
        key = value.key
    }

    /// The line that begins the table.
    var header: String { table == "button" ? "[[button]]" : "[\(table)]" }
    var description: String { "\(table).\(key)" }
}

private struct GetSetting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print a setting, or all that are set, and where.",
        discussion: "A setting that is not set has its default. Example: boardd config get display.size")

    @Argument(help: ArgumentHelp("The table and the key.", valueName: "table.key"))
    var name: String?

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let wanted = try name.map { try SettingName($0) }
        let loaded = try await DedicatedThread.attempt("config") { [configuration] in configuration.readable }
        let lines = loaded.tables.filter { !$0.isHidden }.flatMap { table in
            table.values.compactMap { value -> String? in
                let setting = SettingName(table, value)
                if let wanted { return "\(wanted)" == "\(setting)" ? value.text : nil }
                return "\(setting) = \(value.text)   # \(table.file)"
            }
        }
        if let wanted, lines.isEmpty {
            throw ServiceError(
                .notFound, "\(wanted) is not set: its default, which boardd.toml names in a comment, holds")
        }
        // The last file that has it holds.
        try StandardOutput.write((wanted == nil ? lines : lines.suffix(1)).map { $0.asPrintedLine + "\n" }.joined())
    }
}

private struct SetSetting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting in boardd.toml.",
        discussion: """
            Checks the value, and reloads the running board; other lines of the file stay as they are. \
            Example: sudo boardd config set display.size 16x2
            """)

    @Argument(help: ArgumentHelp("The table and the key.", valueName: "table.key"))
    var name: String

    @Argument(help: "The value, as in boardd.toml; a text needs no quotes.")
    var value: String

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let setting = try SettingName(name)
        let option = configuration
        let before = option.readable.tables
        let written = try await DedicatedThread.attempt("config") { try change(setting) }
        try StandardOutput.write("\(setting) set in \(written)\n")
        for table in before where table.name == setting.header && table.isOwn(below: option.source) {
            let values = table.values.map { "\($0.key) = \($0.text)" }.joined(separator: ", ")
            StandardError.remark("\(table.name) set by phone is not in use any more: \(values)")
        }
        try await option.reloadRunningBoard()
    }

    /// Changes a copy of the files, then the files; returns the path of the changed one. Blocks.
    private func change(_ setting: SettingName) throws(ServiceError) -> String {
        let staged = try SetupSession.staged(configuration.source)
        defer { staged.remove() }
        try write(setting, to: staged)
        return try ServiceError.attempt { try staged.publish().first ?? configuration.source.path(of: "boardd.toml") }
    }

    /// The value as it was written, or as a text: whichever has no fault.
    private func write(_ setting: SettingName, to staged: StagedConfiguration) throws(ServiceError) {
        guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw ServiceError(.malformed, "not changed: the value must be one line")
        }
        let path = "\(staged.folder)/boardd.toml"
        let old = (try? SmallFile.read(path, limit: 1_000_000).text) ?? ""
        // Who mends one of two faults changes something for the better.
        let before = faults(of: staged)
        var rejected: [SourceError]?
        for written in [TOMLText.quoted(value), value] {
            var text = SettingsText(old)
            text.set(setting.key, to: written, in: setting.header)
            try ServiceError.attempt { try WrittenFile.write(Array(text.text.utf8), to: path) }
            let new = faults(of: staged).filter { fault in !before.contains { $0.message == fault.message } }
            if new.isEmpty { return }
            // A text is what most settings are: its fault is the one that names what is allowed.
            rejected = rejected ?? new
        }
        throw ServiceError(.invalid, "not changed: \((rejected ?? []).map(\.message).joined(separator: "; "))")
    }

    private func faults(of staged: StagedConfiguration) -> [SourceError] {
        do throws(ConfigurationError) {
            _ = try ConfigurationOption.load(staged.copy)
            return []
        } catch {
            return error.faults
        }
    }
}

extension ConfigurationTable {
    /// Whether it was in use in the own layer.
    fileprivate func isOwn(below source: ConfigurationSource) -> Bool {
        !isHidden && file.hasPrefix("\(ConfigurationOption.own(below: source)?.folder ?? "-")/")
    }
}
