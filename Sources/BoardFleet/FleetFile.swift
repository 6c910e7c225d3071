import BoardCore
import BoardIO
import BoardStore
import FoundationEssentials
import Glibc

/// fleet.json in the state folder: what a board must know of its fleet after a restart. Written only when it changes.
struct FleetFile: Hashable, Sendable, Codable {
    /// The shared list, as last merged; nil: the board shares none.
    var list: StoredSharedList?
    /// What the broker stores of the announcement to Home Assistant.
    var discovery: PublishedDiscovery?

    private static let maximumSize = 1_048_576

    init() {}

    /// Reads the file, on a thread of its own; empty if it is missing or unreadable.
    init(at path: String?, log: @escaping @Sendable (String, Bool) -> Void) async {
        guard let path else { return }
        let file = try? await DedicatedThread.run("fleet file") { () -> FleetFile? in
            do throws(FileError) {
                let bytes = try SmallFile.read(path, limit: Self.maximumSize).bytes
                if let file = try? JSONDecoder().decode(Self.self, from: Data(bytes)) { return file }
                log(
                    "fleet: \(path) is unreadable: the board joins its list of favourites again, and changes to the file since then are not shared",
                    true)
            } catch {
                if error.number != ENOENT { log("fleet: \(path) cannot be read: \(error)", true) }
            }
            return nil
        }
        if let file = file ?? nil { self = file }
    }

    /// Replaces the file, on a thread of its own.
    func write(to path: String?, log: @escaping @Sendable (String, Bool) -> Void) async {
        guard let path else { return }
        let bytes = StableJSON.bytes(self)
        _ = try? await DedicatedThread.run("fleet file") {
            do throws(FileError) {
                try AtomicFile.write(bytes.span, to: path, through: path + ".new", mode: 0o600, isDurable: true)
            } catch {
                log(
                    "fleet: \(path) cannot be written: \(error). After a restart the board joins its list of favourites again",
                    true)
            }
        }
    }
}

/// What a member of a list stores in fleet.json: the merged list, and the shared favourites last seen in its file, so
/// that changes to the file are found after a restart, too.
struct StoredSharedList: Hashable, Sendable, Codable {
    let name: FleetName
    let list: SharedList
    /// Without distances.
    let favourites: [Favourite]

    private enum CodingKeys: String, CodingKey {
        case name, list, favourites
    }

    private struct StoredFavourite: Codable {
        let stop: StopID
        let values: SharedList.Values
    }
}

extension StoredSharedList {
    /// Throws for another version of the list. Values that this version rejects become the defaults.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(FleetName.self, forKey: .name)
        let file = try container.decode(SharedListFile.self, forKey: .list)
        guard file.version == SharedListFile.version else { throw SharedListFile.otherVersion(file.version) }
        list = file.list(isOwn: true).list
        favourites = try container.decode([StoredFavourite].self, forKey: .favourites).map { stored in
            SharedList.favourite(stored.stop, stored.values).favourite
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(SharedListFile(list), forKey: .list)
        let stored = favourites.map { StoredFavourite(stop: $0.stop, values: SharedList.values(of: $0)) }
        try container.encode(stored, forKey: .favourites)
    }
}
