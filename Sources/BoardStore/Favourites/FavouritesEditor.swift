public import BoardCore

/// Edits favourites.toml as a careful person would: comments, order, blank lines, quotes and alignment stay, and no other
/// program ever sees half a file.
///
/// A position is what `boardd favourites list` counts: the tables of the file from 1, `[[stop]]` and `[[nearby]]` alike.
/// A wish for near stops is one position, however many stops it finds.
///
/// Every call blocks: up to ``patience`` for others who edit the file, then for as long as the disk takes. Calls from any
/// number of threads and processes all land, one after the other.
public struct FavouritesEditor: Sendable {
    /// The file's path; a symbolic link is followed, and the file that it names is replaced.
    public let path: String
    /// How long one waits for others who change the file.
    public let timeout: Duration

    private let declarations: FeedDeclarations

    /// An editor of a file that need not be there yet.
    ///
    /// - Parameters:
    ///   - path: the file; ``ConfigurationSource/favouritesPath`` says where a configuration has it.
    ///   - declarations: what the feeds declare; nothing else is written into the file.
    ///   - patience: how long one waits for others who change the file.
    public init(path: String, declarations: FeedDeclarations, timeout: Duration = .seconds(5)) {
        self.path = path
        self.declarations = declarations
        self.timeout = timeout
    }

    /// Adds a stop, and makes the file if there is none.
    ///
    /// - Parameters:
    ///   - favourite: the stop; its distance is not written.
    ///   - position: its place in the list, from 1 to one more than there are; nil: the last one.
    /// - Returns: what the file says now.
    /// - Throws: ``FavouritesFailure/present(_:line:)`` when the stop is a favourite already.
    @discardableResult
    public func add(_ favourite: Favourite, at position: Int? = nil) throws(FavouritesFailure) -> [FavouriteEntry] {
        try edit { (text) throws(FavouritesFailure) in
            var entry = favourite
            entry.distance = nil
            if let line = text.line(of: entry.stop) { throw .alreadyPresent(entry.stop, line: line) }
            let index = try Self.index(position ?? text.entries.count + 1, of: text.entries.count + 1)
            try check(entry)
            text.insert(entry, at: index)
        }
    }

    /// Removes a stop, with the comments that stand in its table and directly above it.
    ///
    /// - Returns: what the file says now.
    /// - Throws: ``FavouritesFailure/absent(_:nearest:)`` when the stop is no favourite.
    @discardableResult
    public func remove(_ stop: StopID) throws(FavouritesFailure) -> [FavouriteEntry] {
        try edit { (text) throws(FavouritesFailure) in
            text.remove(at: try Self.index(of: stop, in: text))
        }
    }

    /// Moves a stop, with its comments.
    ///
    /// - Parameters:
    ///   - stop: the stop.
    ///   - position: its new place in the list, from 1.
    /// - Returns: what the file says now.
    /// - Throws: ``FavouritesFailure/absent(_:nearest:)``, ``FavouritesFailure/outOfRange(_:allowed:)``.
    @discardableResult
    public func move(_ stop: StopID, to position: Int) throws(FavouritesFailure) -> [FavouriteEntry] {
        try edit { (text) throws(FavouritesFailure) in
            let old = try Self.index(of: stop, in: text)
            text.move(from: old, to: try Self.index(position, of: text.entries.count))
        }
    }

    /// Changes what a person wants of a stop; its place stays.
    ///
    /// - Parameters:
    ///   - stop: the stop.
    ///   - change: gives the favourite its new values; what has its default goes from the table. It is called with what
    ///     the file says now, while nobody else changes it.
    /// - Returns: what the file says now.
    /// - Throws: ``FavouritesFailure/absent(_:nearest:)`` when the stop is no favourite, ``FavouritesFailure/refused(_:)``
    ///   for what the loader would not read.
    @discardableResult
    public func change(
        _ stop: StopID, _ change: (inout Favourite) -> Void
    ) throws(FavouritesFailure) -> [FavouriteEntry] {
        try edit { (text) throws(FavouritesFailure) in
            let index = try Self.index(of: stop, in: text)
            guard case .stop(var favourite) = text.entries[index] else { return }
            change(&favourite)
            favourite.distance = nil
            try check(favourite)
            text.change(index, to: favourite)
        }
    }
}

// MARK: - Finding and checking

extension FavouritesEditor {
    private static func index(of stop: StopID, in text: FavouritesText) throws(FavouritesFailure) -> Int {
        if let index = text.index(of: stop) { return index }
        let stops = text.entries.named.map(\.stop)
        let nearest = Spelling.nearest(to: stop.description, of: stops.map(\.description))
        throw .notFound(stop, nearest: stops.first { $0.description == nearest })
    }

    private static func index(_ position: Int, of count: Int) throws(FavouritesFailure) -> Int {
        guard (1...count).contains(position) else { throw .outOfRange(position, allowed: 1...count) }
        return position - 1
    }

    /// Whether the loader would take a favourite if it stood alone in a file.
    private func check(_ favourite: Favourite) throws(FavouritesFailure) {
        // Said here: TOML's own complaint would be of an escape that the person never wrote.
        let texts =
            [("the label", favourite.label ?? ""), ("the stop that it is towards", favourite.towards ?? "")]
            + favourite.lines.map { ("a line's name", $0) } + favourite.platforms.map { ("a platform", $0) }
            + favourite.directions.map { ("a direction", $0) }
        for (what, text) in texts {
            guard let control = text.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) else {
                continue
            }
            let number = String(control.value, radix: 16, uppercase: true)
            let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
            throw .refused(
                "\(what) has a control character (U+\(padded)), which a display cannot show: write one line of text without it"
            )
        }
        let table = FavouriteTable(favourite, lineEnd: "\n").text
        let read: FavouritesText
        do throws(ConfigurationFault) {
            read = try FavouritesText(Array(table.utf8), file: path, declarations: declarations)
        } catch {
            throw .refused(error.message)
        }
        guard read.entries == [.stop(favourite)] else { throw .verificationFailed(file: path) }
    }
}

// MARK: - Reading and writing

extension FavouritesEditor {
    /// Changes the file with the folder locked, if the changed text says what was meant.
    private func edit(
        _ change: (inout FavouritesText) throws(FavouritesFailure) -> Void
    ) throws(FavouritesFailure) -> [FavouriteEntry] {
        let file = try access { () throws(FileFailure) in try LockedFile(path, timeout: timeout) }
        let old = try access { () throws(FileFailure) in try file.read(limit: SourceText.maximumSize) } ?? []
        var text = try parse(old)
        if let line = text.unsupportedForm { throw .unsupportedForm(file: path, line: line) }
        let before = text.bytes
        try change(&text)
        let new = text.bytes
        guard new != before else { return text.entries }
        // The loader is the judge: what it would not read as meant is not written.
        guard (try? parse(new).entries) == text.entries else { throw .verificationFailed(file: path) }
        try access { () throws(FileFailure) in try file.replace(with: new) }
        return text.entries
    }

    private func parse(_ bytes: [UInt8]) throws(FavouritesFailure) -> FavouritesText {
        do throws(ConfigurationFault) {
            return try FavouritesText(bytes, file: path, declarations: declarations)
        } catch {
            throw .faulty(error)
        }
    }

    private func access<Value: ~Copyable>(_ body: () throws(FileFailure) -> Value) throws(FavouritesFailure) -> Value {
        do throws(FileFailure) {
            return try body()
        } catch {
            throw .file(error)
        }
    }
}
