internal import BoardIO
internal import FoundationEssentials
internal import Glibc

/// fleet.json in the state folder: what a board needs of its fleet after a restart. Written when it changes, not in steady state.
struct FleetFile: Hashable, Sendable, Codable {
    /// The shared list, as it was merged last; nil: the board shares none.
    var list: StoredSharedList?
    /// What the broker has of the announcement to Home Assistant.
    var discovery: PublishedDiscovery?

    private static let largest = 1_048_576

    init() {}

    /// Reads the file, on a thread of its own; an empty one where it is missing or unreadable.
    init(at path: String?, log: @escaping @Sendable (String, Bool) -> Void) async {
        guard let path else { return }
        let file = try? await DedicatedThread.run("fleet file") { () -> FleetFile? in
            do throws(FileAccessFailure) {
                let bytes = try SmallFile.read(path, limit: Self.largest).bytes
                if let file = try? JSONDecoder().decode(Self.self, from: Data(bytes)) { return file }
                log(
                    "fleet: \(path) is unreadable: the board joins its list of favourites again, and changes of its file since then are not shared",
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
            do throws(FileAccessFailure) {
                try AtomicFile.write(bytes.span, to: path, through: path + ".new", mode: 0o600, isDurable: true)
            } catch {
                log(
                    "fleet: \(path) cannot be written: \(error). After a restart the board joins its list of favourites again",
                    true)
            }
        }
    }
}
