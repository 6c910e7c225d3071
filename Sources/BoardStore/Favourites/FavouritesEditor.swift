public import BoardCore
import BoardIO
import Synchronization

/// Edits favourites.toml: a changed table is rewritten with its comments; all else stays byte for byte. No other
/// program ever sees an incomplete file.
///
/// A position counts the tables of the file from 1, `[[stop]]` and `[[nearby]]` alike, as `boardd favourites list`
/// does: a `[[nearby]]` table is one position, whatever it finds. Every change returns the entries of the changed file.
///
/// Every call blocks: up to ``timeout`` for other writers, then for the disk. Concurrent calls from any number of
/// threads and processes all take effect.
public struct FavouritesEditor: Sendable {
    /// The file's path; a symbolic link is followed, and its target is replaced.
    public let path: String
    /// The maximum wait for other writers.
    public let timeout: Duration

    private let declarations: FeedDeclarations
    /// Receives every change, so that ``undo()`` can undo it; nil: nothing can be undone.
    private let history: FavouritesHistory?

    /// An editor of a file that may be missing, such as ``ConfigurationSource/favouritesPath``.
    ///
    /// - Parameter declarations: the feeds of allowed stops.
    public init(
        path: String, declarations: FeedDeclarations, timeout: Duration = .seconds(5), history: FavouritesHistory? = nil
    ) {
        self.path = path
        self.declarations = declarations
        self.timeout = timeout
        self.history = history
    }

    /// The same editor, able to undo changes.
    public func recording(in history: FavouritesHistory) -> FavouritesEditor {
        FavouritesEditor(path: path, declarations: declarations, timeout: timeout, history: history)
    }

    /// Adds a stop; creates the file if there is none.
    ///
    /// - Parameters:
    ///   - favourite: the stop; its distance is not written.
    ///   - position: the position in the list, from 1 to one past the last; nil: the end.
    /// - Throws: ``FavouritesError/alreadyPresent(_:line:)`` if the stop is already a favourite.
    @discardableResult
    public func add(_ favourite: Favourite, at position: Int? = nil) throws(FavouritesError) -> [FavouriteEntry] {
        try edit { (text) throws(FavouritesError) in
            var entry = favourite
            entry.distance = nil
            if let line = text.line(of: entry.stop) { throw .alreadyPresent(entry.stop, line: line) }
            let index = try Self.index(position ?? text.entries.count + 1, of: text.entries.count + 1)
            try check(entry)
            text.insert(entry, at: index)
        }
    }

    /// Removes a stop, with the comments in its table and directly above it.
    ///
    /// - Throws: ``FavouritesError/notFound(_:nearest:)`` when the stop is not a favourite.
    @discardableResult
    public func remove(_ stop: StopID) throws(FavouritesError) -> [FavouriteEntry] {
        try edit { (text) throws(FavouritesError) in text.remove(at: try Self.index(of: stop, in: text)) }
    }

    /// Moves a stop, with its comments.
    ///
    /// - Parameter position: the new position, from 1.
    /// - Throws: ``FavouritesError/notFound(_:nearest:)``, ``FavouritesError/outOfRange(_:allowed:)``.
    @discardableResult
    public func move(_ stop: StopID, to position: Int) throws(FavouritesError) -> [FavouriteEntry] {
        try edit { (text) throws(FavouritesError) in
            let old = try Self.index(of: stop, in: text)
            text.move(from: old, to: try Self.index(position, of: text.entries.count))
        }
    }

    /// Changes the values of a favourite, and its position in the same edit.
    ///
    /// - Parameters:
    ///   - position: the new position, from 1; nil: the position stays.
    ///   - change: sets the new values; a default value removes its key. Called with the current values of the
    ///     file, while the file is locked.
    /// - Throws: ``FavouritesError/notFound(_:nearest:)`` when the stop is not a favourite,
    ///   ``FavouritesError/rejected(_:)`` for values that the loader would not accept,
    ///   ``FavouritesError/outOfRange(_:allowed:)``.
    @discardableResult
    public func change(
        _ stop: StopID, to position: Int? = nil, _ change: (inout Favourite) -> Void
    ) throws(FavouritesError) -> [FavouriteEntry] {
        try edit { (text) throws(FavouritesError) in
            let index = try Self.index(of: stop, in: text)
            guard case .stop(var favourite) = text.entries[index] else { return }
            change(&favourite)
            favourite.distance = nil
            try check(favourite)
            text.change(index, to: favourite)
            if let position { text.move(from: index, to: try Self.index(position, of: text.entries.count)) }
        }
    }

    /// Replaces the whole file.
    ///
    /// - Throws: ``FavouritesError/faulty(_:)`` for a text that the loader would not accept.
    public func replaceAll(with text: String) throws(FavouritesError) {
        _ = try edit { (old) throws(FavouritesError) in old = try parse(Array(text.utf8)) }
    }

    /// The entries now in the file; nil: there is no file, or it has no bytes, as after a loss of power. This type
    /// never writes such a file.
    ///
    /// - Throws: ``FavouritesError/faulty(_:)`` for a file that cannot be read reliably.
    public func entries() throws(FavouritesError) -> [FavouriteEntry]? {
        let file = try access { () throws(FileError) in try LockedFile(path, timeout: timeout) }
        let bytes = try access { () throws(FileError) in try file.read(limit: SourceText.maximumSize) }
        guard let bytes, !bytes.isEmpty else { return nil }
        return try parse(bytes).entries
    }

    /// Undoes this editor's last change, if the file is as that change left it. A file that was empty or missing gets
    /// one line end: an empty file would look like one that a loss of power emptied.
    ///
    /// - Throws: ``FavouritesError/nothingToUndo`` if there is none, or it is too old; ``FavouritesError/changedSince``
    ///   if the file has changed since.
    @discardableResult
    public func undo() throws(FavouritesError) -> [FavouriteEntry] {
        guard let last = history?.last else { throw .nothingToUndo }
        let file = try access { () throws(FileError) in try LockedFile(path, timeout: timeout) }
        let current = try access { () throws(FileError) in try file.read(limit: SourceText.maximumSize) } ?? []
        guard current == last.after else { throw .changedSince }
        let text = try parse(last.before)
        try access { () throws(FileError) in try file.replace(with: text.nonemptyBytes) }
        history?.clear()
        return text.entries
    }

    private static func index(of stop: StopID, in text: FavouritesText) throws(FavouritesError) -> Int {
        if let index = text.index(of: stop) { return index }
        let stops = text.entries.named.map(\.stop)
        let nearest = Spelling.nearest(to: stop.description, of: stops.map(\.description))
        throw .notFound(stop, nearest: stops.first { $0.description == nearest })
    }

    private static func index(_ position: Int, of count: Int) throws(FavouritesError) -> Int {
        guard (1...count).contains(position) else { throw .outOfRange(position, allowed: 1...count) }
        return position - 1
    }

    /// Throws if the loader would reject the favourite in a file of its own.
    func check(_ favourite: Favourite) throws(FavouritesError) {
        // Checked here, since TOML's message would mention an escape that the user did not write.
        let texts = FavouriteField.all.flatMap { field in field.texts(favourite).map { (field.name, $0) } }
        for (key, text) in texts {
            guard let control = text.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) else {
                continue
            }
            let number = String(control.value, radix: 16, uppercase: true)
            let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
            throw .rejected(
                "\(key) contains a control character (U+\(padded)), which a display cannot show: write one line of text without it",
                InvalidValue(key, .format))
        }
        let table = FavouriteTable(favourite, lineEnd: "\n").text
        let read: FavouritesText
        do throws(SourceError) {
            read = try FavouritesText(Array(table.utf8), file: path, declarations: declarations)
        } catch {
            throw .rejected(error.message, error.value)
        }
        guard read.entries == [.stop(favourite)] else { throw .verificationFailed(file: path) }
    }

    /// Changes the locked file, if the loader reads the new text as intended.
    func edit(
        _ change: (inout FavouritesText) throws(FavouritesError) -> Void
    ) throws(FavouritesError) -> [FavouriteEntry] {
        let file = try access { () throws(FileError) in try LockedFile(path, timeout: timeout) }
        let old = try access { () throws(FileError) in try file.read(limit: SourceText.maximumSize) } ?? []
        var text = try parse(old)
        if let line = text.unsupportedForm { throw .unsupportedForm(file: path, line: line) }
        let before = text.bytes
        try change(&text)
        let new = text.nonemptyBytes
        guard new != before else { return text.entries }
        guard (try? parse(new).entries) == text.entries else { throw .verificationFailed(file: path) }
        try access { () throws(FileError) in try file.replace(with: new) }
        history?.record(before: old, after: new)
        return text.entries
    }

    private func parse(_ bytes: [UInt8]) throws(FavouritesError) -> FavouritesText {
        do throws(SourceError) {
            return try FavouritesText(bytes, file: path, declarations: declarations)
        } catch {
            throw .faulty(error)
        }
    }

    private func access<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(FavouritesError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw .file(error)
        }
    }
}

extension FavouritesEditor {
    /// Makes the shared stops of the file equal to a list: adds, removes, changes and moves tables. Stops with
    /// `shared = false` and `[[nearby]]` tables stay as they are; a stop of the list that the file has with
    /// `shared = false` is not written.
    ///
    /// - Parameters:
    ///   - favourites: the list, each stop once; distances are not written.
    ///   - expected: the shared stops that the list was computed from; nil: any.
    /// - Throws: ``FavouritesError/outdated(file:)`` if the file's shared stops are not the expected ones,
    ///   ``FavouritesError/rejected(_:)`` for values that the loader would not accept.
    @discardableResult
    public func setShared(
        _ favourites: [Favourite], expecting expected: [Favourite]? = nil
    ) throws(FavouritesError) -> [FavouriteEntry] {
        try edit { (text) throws(FavouritesError) in
            if let expected, text.entries.shared != expected { throw .outdated(file: path) }
            let local = Set(text.entries.named.filter { !$0.isShared }.map(\.stop))
            let listed = favourites.filter { !local.contains($0.stop) }.map { favourite in
                var favourite = favourite
                favourite.distance = nil
                favourite.isShared = true
                return favourite
            }
            let unchanged = Set(text.entries.shared)
            for favourite in listed where !unchanged.contains(favourite) {
                if let problem = problem(with: favourite) { throw .rejected("\(favourite.stop): \(problem)") }
            }
            text.setShared(listed)
        }
    }

    /// Why favourites.toml may not contain a favourite; nil if it may.
    public func problem(with favourite: Favourite) -> String? {
        do throws(FavouritesError) {
            try check(favourite)
            return nil
        } catch {
            return error.description
        }
    }
}

extension [FavouriteEntry] {
    /// The stops that the board shares with others, in the order of the file.
    public var shared: [Favourite] { named.filter(\.isShared) }
}

extension Array where Element: Hashable {
    /// The elements that must move to bring `old` into this order, the fewest possible. Elements that are in only one list
    /// are ignored; each list has an element at most once.
    package func moved(from old: [Element]) -> Set<Element> {
        let common = Set(self).intersection(old)
        let changes = filter(common.contains).difference(from: old.filter(common.contains))
        return Set(changes.insertions.compactMap { if case .insert(_, let element, _) = $0 { element } else { nil } })
    }
}

/// An editor's last change of favourites.toml, for as long as it can be undone.
public final class FavouritesHistory: Sendable {
    /// How long a change can be undone.
    static let maximumAge = Duration.seconds(600)

    private struct Change {
        let before: [UInt8]
        let after: [UInt8]
        let at: Instant
    }

    private let clock: any MachineClock
    private let change = Mutex<Change?>(nil)

    public init(clock: any MachineClock) { self.clock = clock }

    /// The content of the file before and after the last change; nil: there is none, or it is too old.
    var last: (before: [UInt8], after: [UInt8])? {
        let now = clock.now()
        return change.withLock { change in
            if let at = change?.at, now - at > Self.maximumAge { change = nil }
            return change.map { ($0.before, $0.after) }
        }
    }

    func record(before: [UInt8], after: [UInt8]) {
        let now = clock.now()
        change.withLock { $0 = Change(before: before, after: after, at: now) }
    }

    func clear() { change.withLock { $0 = nil } }
}
