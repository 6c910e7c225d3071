import BoardCore
import BoardIO
import BoardService
import BoardStore
import CCrypto
import FoundationEssentials
import Glibc
import Synchronization

/// The paired devices, in a file in the state folder that only the daemon reads.
final class DeviceStore: Sendable {
    static let maximumCount = 32
    static let maximumNameLength = 40
    private static let maximumSize = 65_536

    private struct Device: Codable {
        var name: String
        /// Of the token.
        var digest: TokenDigest
        /// Of the cookie for a new token; nil: paired by a version without cookies.
        var cookie: TokenDigest?
        let pairedAt: String
        var lastUsedAt: String
        /// Nil: it may not set up the board.
        var isOwner: Bool?

        var listed: PairedDevice {
            PairedDevice(name: name, pairedAt: pairedAt, lastUsedAt: lastUsedAt, isOwner: isOwner == true)
        }
    }

    private let path: String?
    private let devices: Mutex<[Device]>
    /// Held while the file is written, so that an older list never replaces a newer one.
    private let writing = Mutex(())

    /// Reads the file; blocks. A missing or unreadable one counts as empty.
    ///
    /// - Parameters:
    ///   - path: nil: there is no file.
    ///   - report: receives a sentence about an unreadable file.
    init(path: String?, report: (String) -> Void) {
        self.path = path
        devices = Mutex(path.map { Self.read($0, report: report) } ?? [])
    }

    private static func read(_ path: String, report: (String) -> Void) -> [Device] {
        do throws(FileError) {
            let bytes = try SmallFile.read(path, limit: maximumSize).bytes
            if let devices = try? JSONDecoder().decode([Device].self, from: Data(bytes)) { return devices }
            report("\(path) is unreadable: the devices must be paired again")
        } catch {
            if error.number != ENOENT { report("\(path) cannot be read (\(error)): the devices must be paired again") }
        }
        return []
    }

    var list: [PairedDevice] {
        devices.withLock { $0.map(\.listed) }
    }

    /// The device with a token; nil: none has it.
    func device(with token: Token) -> PairedDevice? {
        let digest = token.digest
        return devices.withLock { devices in
            // All are compared, so that the time does not depend on the position.
            devices.reduce(nil as Device?) { found, device in
                device.digest.isEqual(to: digest) ? device : found
            }?.listed
        }
    }

    /// Whether the day of last use must be written: at most once a day, to spare an SD card.
    func isUnused(_ name: String, on day: String) -> Bool {
        devices.withLock { devices in devices.contains { $0.name == name && $0.lastUsedAt != day } }
    }

    /// Stores the day of last use; blocks.
    func use(_ name: String, on day: String) {
        devices.withLock { devices in
            for index in devices.indices where devices[index].name == name { devices[index].lastUsedAt = day }
        }
        // A failure is harmless: the day is only information.
        try? write()
    }

    /// Checks whether a device with this name can be added, and returns the name as it is stored.
    func checked(_ name: String) throws(ServiceError) -> String {
        let name = String(name.asPrintedLine.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        guard name.count <= Self.maximumNameLength, name.contains(where: { $0.isLetter || $0.isNumber }) else {
            throw ServiceError(
                .invalid, "name: must have 1 to \(Self.maximumNameLength) characters, one of them a letter or digit",
                value: InvalidValue("name", .length, minimum: "1", maximum: "\(Self.maximumNameLength)"))
        }
        guard devices.withLock({ $0.count }) < Self.maximumCount else {
            throw ServiceError(
                .conflict, "\(Self.maximumCount) devices are paired already; remove one first (boardd page list)")
        }
        return name
    }

    /// Adds a device; blocks.
    ///
    /// - Returns: its name: one that is taken got a number.
    func add(
        _ name: String, _ token: Token, cookie: Token, isOwner: Bool, on day: String
    ) throws(ServiceError) -> String {
        let (before, added) = devices.withLock { devices in
            let names = Set(devices.map(\.name))
            let free = ([name] + (2...Self.maximumCount + 1).map { "\(name) \($0)" }).first { !names.contains($0) }
            let device = Device(
                name: free ?? name, digest: token.digest, cookie: cookie.digest, pairedAt: day, lastUsedAt: day,
                isOwner: isOwner ? true : nil)
            defer { devices.append(device) }
            return (devices, device.name)
        }
        try write(else: before)
        return added
    }

    /// Gives a device another token and another cookie, and makes it an owner if it becomes one; blocks.
    func renew(_ name: String, _ token: Token, cookie: Token, isOwner: Bool, on day: String) throws(ServiceError) {
        try change(name) { devices, index in
            (devices[index].digest, devices[index].cookie) = (token.digest, cookie.digest)
            devices[index].lastUsedAt = day
            if isOwner { devices[index].isOwner = true }
        }
    }

    /// Gives the device with a cookie another token and another cookie; blocks.
    ///
    /// - Returns: whether there is such a device.
    func renew(_ cookie: Token, _ token: Token, cookie next: Token, on day: String) throws(ServiceError) -> Bool {
        let digest = cookie.digest
        let before = devices.withLock { devices -> [Device]? in
            let before = devices
            // All are compared, so that the time does not depend on the position.
            let found = devices.indices.reduce(nil as Int?) { found, index in
                devices[index].cookie.isSomeAnd { $0.isEqual(to: digest) } ? index : found
            }
            guard let found else { return nil }
            (devices[found].digest, devices[found].cookie) = (token.digest, next.digest)
            devices[found].lastUsedAt = day
            return before
        }
        guard let before else { return false }
        try write(else: before)
        return true
    }

    /// Removes a device; blocks.
    func remove(_ name: String) throws(ServiceError) { try change(name) { $0.remove(at: $1) } }

    /// Makes a device an owner, or no owner; blocks.
    func set(isOwner: Bool, _ name: String) throws(ServiceError) { try change(name) { $0[$1].isOwner = isOwner } }

    private func change(_ name: String, _ body: (inout [Device], Int) -> Void) throws(ServiceError) {
        let before = devices.withLock { devices in
            let before = devices
            if let index = devices.firstIndex(where: { $0.name == name }) { body(&devices, index) }
            return before
        }
        guard before.contains(where: { $0.name == name }) else {
            let nearest = Spelling.nearest(to: name, of: before.map(\.name))
            throw ServiceError(
                .notFound, "no paired device is called \"\(name)\"",
                candidates: nearest.map { [Candidate(id: $0)] } ?? [])
        }
        try write(else: before)
    }

    /// - Parameter before: the list that applies if the new one cannot be written.
    private func write(else before: [Device]) throws(ServiceError) {
        do throws(ServiceError) {
            try write()
        } catch {
            devices.withLock { $0 = before }
            throw error
        }
    }

    private func write() throws(ServiceError) {
        guard let path else { return }
        let failure = writing.withLock { _ -> String? in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            guard let data = try? encoder.encode(devices.withLock { $0 }) else { return "it cannot be encoded" }
            do throws(FileError) {
                try AtomicFile.write(Array(data).span, to: path, through: path + ".new", mode: 0o600, isDurable: true)
                return nil
            } catch {
                return "\(error)"
            }
        }
        if let failure { throw ServiceError(.failed, "\(path) cannot be written: \(failure)") }
    }
}

/// A secret of a paired device, its token or its cookie: 32 random bytes in base64url (RFC 4648 §5).
struct Token {
    private static let length = 32

    let text: String

    /// A new one.
    init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    init(text: String) { self.text = text }

    /// The token in a header `Authorization: Bearer …`; nil: there is none.
    init?(header: String?) {
        let parts = header?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        text = String(parts[1])
    }

    /// The SHA-256 of the text, which is stored instead.
    var digest: TokenDigest { TokenDigest(SHA256.hash(Array(text.utf8))) }
}

/// The digest of a secret.
struct TokenDigest: Codable, Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Compares in constant time.
    func isEqual(to other: TokenDigest) -> Bool {
        guard bytes.count == other.bytes.count else { return false }
        return unsafe CRYPTO_memcmp(bytes, other.bytes, bytes.count) == 0
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let data = Data(base64Encoded: try container.decode(String.self)), data.count == SHA256.length else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a digest")
        }
        bytes = Array(data)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(bytes).base64EncodedString())
    }
}
