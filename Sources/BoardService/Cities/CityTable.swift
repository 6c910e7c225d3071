package import BoardCore
internal import BoardFeeds
internal import BoardStore

/// A city's table for a file of feeds.d, and what a user must know about it.
package struct CityTable: Hashable, Sendable {
    /// Begins every file of this program, which is then removed with the city.
    static let mark = "# Written by `boardd cities add "

    package let feed: FeedName
    /// Its first line: the feed's name and the number in the catalogue.
    var firstLine: String { String(text.prefix { !$0.isNewline }) }
    /// The whole file.
    package let text: String
    /// The name in keys.env of the key that the operator requires; nil: none.
    package let keyName: String?
    /// Where to get the key; empty: unknown.
    package let keySource: String
    /// What differs from the catalogue, a sentence each.
    package let remarks: [String]

    /// - Parameters:
    ///   - name: the last part of the feed's name.
    ///   - isMirrored: whether to use the catalogue's copy of the timetable in any case.
    package init(_ city: City, named name: String, isMirrored: Bool) {
        var remarks: [String] = []
        // boardd sends one key, in one place: that of the trip updates, if they need one.
        let leading = city.realtime.first { $0.kinds.contains("tu") } ?? city.realtime.first
        let keyed = city.realtime.filter { $0.key == leading?.key }
        let origins = Set(keyed.compactMap { SourceAddress($0.address)?.origin })
        let realtime = city.realtime.filter { entry in
            guard let address = SourceAddress(entry.address), !address.hasKey else {
                remarks.append("realtime \(entry.kinds) is left out: its address is malformed, or has a key in it")
                return false
            }
            // A key is sent to every host in `realtime`.
            guard entry.key == leading?.key || entry.key == nil && origins.contains(address.origin) else {
                remarks.append("realtime \(entry.kinds) of \(address.origin) is left out: its key goes elsewhere")
                return false
            }
            guard !address.isSecure else { return true }
            remarks.append(
                leading?.key == nil
                    ? "realtime \(entry.kinds) is not encrypted (http): others on the way can read and change it"
                    : "realtime \(entry.kinds) is left out: a key must not be sent over http")
            return leading?.key == nil
        }
        let realtimeKey = realtime.contains { $0.key != nil } ? leading?.key : nil
        let own = SourceAddress(city.timetable)
        let isSent =
            city.key == nil || realtime.isEmpty
            || city.key == realtimeKey && own.map { origins.contains($0.origin) } ?? false
        let reason: String? =
            switch own {
            case _ where isMirrored: "as requested"
            case nil: "the operator's address is malformed"
            case .some(let own) where own.hasKey: "the operator's address has a key in it"
            case .some(let own) where !own.isSecure: "the operator's address is not encrypted (http)"
            case _ where !isSent: "the operator's timetable requires a key that is sent to realtime alone"
            default: nil
            }
        if let reason { remarks.append("the timetable is the catalogue's copy: \(reason)") }
        let key = realtime.isEmpty ? (reason == nil ? city.key : nil) : realtimeKey

        feed = FeedName("gtfs.\(name)")
        keyName = key == nil ? nil : FeedRegistry.declarations[feed]?.secrets.first
        keySource = realtime.isEmpty ? city.keySource : leading?.keySource ?? ""
        self.remarks = remarks
        var lines = ["\(Self.mark)\(name)`, from the Mobility Database (CC0), number \(city.id)."]
        lines += ["# \(city.fullName); \(city.place)"]
        if !city.terms.isEmpty { lines.append("# Terms: \(city.terms)") }
        if let keyName {
            lines.append("# Key: \(keyName) in keys.env" + (keySource.isEmpty ? "" : ", from \(keySource)"))
        }
        lines += remarks.map { "# Remark: \($0)." }
        lines += ["[feed.\(feed)]", "title = \(TOMLText.quoted(city.title))"]
        lines.append("timetable = \(TOMLText.quoted(reason == nil ? city.timetable : city.mirror))")
        if !realtime.isEmpty {
            lines += ["realtime = ["] + realtime.map { "    \(TOMLText.quoted($0.address)),   # \($0.kinds)" } + ["]"]
        }
        switch key {
        case .header(let header): lines.append("key_header = \(TOMLText.quoted(header))")
        case .parameter(let parameter): lines.append("key_parameter = \(TOMLText.quoted(parameter))")
        case nil: break
        }
        text = lines.map { $0.asPrintedLine + "\n" }.joined()
    }
}
