internal import BoardCore

/// favourites.toml as values.
struct FavouritesFile {
    let favourites: [Favourite]

    /// Reads the file; every fault goes to `collector`, and a favourite without a readable stop is left out.
    init(_ document: TOMLDocument, declarations: [FeedDeclaration], into collector: FaultCollector) {
        var root = TableReader(document, into: collector)
        root.later("nearby")
        let stop = ValueKind<StopID>.stop(of: declarations)
        var favourites: [Favourite] = []
        var lines: [StopID: Int] = [:]
        for table in root.tables("stop", name: "stop") ?? [] {
            var reader = table
            reader.later("walk", "uncatchable", "towards", "platforms", "directions", "when")
            let id = reader.required("id", stop)
            let label = reader.optional("label", .text)
            let interests = reader.value("lines", .texts(example: "[\"73\", \"390\"]"), default: [])
            let sort = reader.value("sort", .choice(), default: SortOrder.time)
            reader.finish()
            guard let id, let offset = reader.offset(of: "id") else { continue }
            if let first = lines[id] {
                reader.report(at: offset, "\(id) is here and in line \(first): a stop is a favourite once")
            } else {
                lines[id] = document.source.place(at: offset).line
                favourites.append(Favourite(stop: id, label: label, lines: interests, sort: sort))
            }
        }
        root.finish()
        self.favourites = favourites
    }
}

extension ValueKind<StopID> {
    /// A stop of one of the declared feeds.
    static func stop(of declarations: [FeedDeclaration]) -> ValueKind {
        let names = declarations.map(\.name.description)
        let known = "the feeds are: \(names.joined(separator: ", "))"
        return ValueKind(allowed: "a stop as \"feed:code\"; \(known)") { (node) throws(Refusals) in
            guard case .text(let text) = node.value, text.isOneLine, let stop = StopID(text) else {
                throw .notAllowed(node)
            }
            guard let declaration = declarations.first(where: { $0.name == stop.feed }) else {
                let nearest = Spelling.nearest(to: stop.feed.description, of: names)
                let question = nearest.map { "did you mean \"\($0):\(stop.code)\"? " } ?? ""
                throw .because("is of an unknown feed; \(question)\(known)", node)
            }
            if let complaint = declaration.complaint(aboutStop: stop.code) {
                throw .because("is no stop of \(declaration.title): the part after the colon \(complaint)", node)
            }
            return stop
        }
    }
}
