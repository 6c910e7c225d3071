internal import BoardCore

// `[page]`.
extension BoardFile {
    static func readPage(_ root: inout TableReader) -> PageOptions {
        var page = root.table("page", name: "[page]")
        var options = PageOptions()
        options.read = page.value("read", .choice(), default: options.read)
        options.change = page.value("change", .choice(), default: options.change)
        options.names = page.value("names", .hostNames, default: options.names)
        options.networks = page.value("networks", .networks, default: options.networks)
        options.frames = page.value("frames", .origins, default: options.frames)
        options.tiles = page.value(
            "tiles", ValueKind<TileSource>.tiles.map(Optional.some).or("", nil), default: options.tiles)
        options.tilesAttribution = page.value(
            "tiles_attribution", ValueKind<String>.text.or("", ""), default: options.tilesAttribution)
        page.finish()
        if options.read == .paired, options.change == .network {
            page.report(
                at: page.offset(of: "change"),
                "change is \"network\", but read is \"paired\": who may not look may not change; "
                    + "write change = \"paired\"")
            options.change = .paired
        }
        return options
    }
}

extension ValueKind {
    /// A list of texts without duplicates, which may be empty.
    ///
    /// - Parameters:
    ///   - element: what is allowed in it.
    ///   - parse: the value of a text, or the end of a sentence about what is wrong with it; empty: that it must be `element`.
    fileprivate static func list<Element: Equatable>(
        of plural: String, element: String, example: String,
        _ parse: @escaping @Sendable (String) throws(TextFault) -> Element
    ) -> ValueKind where Value == [Element] {
        ValueKind(allowed: "a list of \(plural), such as [\(example)]") { (node) throws(ValueErrors) in
            guard case .list(let nodes) = node.value else { throw .notAllowed(node) }
            return try ValueErrors.collect(nodes, isSame: ==) { (node) throws(ValueErrors) -> Element in
                guard case .text(let text) = node.value else { throw .notAllowed(node, allowed: element) }
                do throws(TextFault) {
                    return try parse(text)
                } catch {
                    guard let sentence = error.sentence else { throw .notAllowed(node, allowed: element) }
                    throw .message(sentence, node)
                }
            }
        }
    }
}

/// Why a text of a list is not allowed.
private struct TextFault: Error {
    /// The end of a sentence about the text; nil: that it must be what is allowed.
    var sentence: String?
}

extension ValueKind<[HostName]> {
    fileprivate static let hostNames = list(
        of: "host names", element: "a host name such as \"board.example.org\", without http:// and port",
        example: "\"board.example.org\""
    ) { (text) throws(TextFault) in
        if IPAddress(text) != nil {
            throw TextFault(
                sentence: "is an IP address, which needs no entry here: every address of the machine is a name of it")
        }
        guard let name = HostName(text) else { throw TextFault() }
        return name
    }
}

extension ValueKind<[NetworkPrefix]> {
    fileprivate static let networks = list(
        of: "networks", element: "a network such as \"100.64.0.0/10\"", example: "\"100.64.0.0/10\", \"fd00::/8\""
    ) { (text) throws(TextFault) in
        do throws(NetworkPrefixFault) {
            return try NetworkPrefix(written: text)
        } catch {
            throw TextFault(sentence: "\(error)")
        }
    }
}

extension ValueKind<[WebOrigin]> {
    fileprivate static let origins = list(
        of: "origins",
        element: "http:// or https://, a host and a port, without a path: \"http://homeassistant.local:8123\"",
        example: "\"http://homeassistant.local:8123\""
    ) { (text) throws(TextFault) in
        guard let origin = WebOrigin(text) else { throw TextFault() }
        return origin
    }
}

extension ValueKind<TileSource> {
    fileprivate static let tiles = ValueKind(
        allowed: "an https address with {z}, {x} and {y}, such as \"https://tile.example.org/{z}/{x}/{y}.png\""
    ) { (node) throws(ValueErrors) in
        guard case .text(let text) = node.value, let tiles = TileSource(text) else { throw .notAllowed(node) }
        return tiles
    }
}
