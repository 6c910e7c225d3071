import BoardCore
import BoardIO
import BoardStore
import CLinux
import Glibc
import ServerTesting
import Synchronization
import Testing
import Waiting

@testable internal import BoardFleet

@Suite("The connection to a broker", .endsHangs)
struct BrokerConnectionTests {
    @Test("keeps no memory of 20,000 messages")
    func leaks() async throws {
        let broker = try SlowBroker()
        let settings = BrokerSettings(
            broker: try #require(BrokerAddress("mqtt://127.0.0.1:\(broker.port)")), client: "den")
        let received = Counter()
        let connection = try BrokerConnection(settings, will: BrokerMessage(topic: "will", payload: [])) { event in
            if case .received = event { received.count() }
        }
        try DedicatedThread.start("fleet") { _ = connection.run() }
        #expect(await eventually { broker.text.contains("MQTT") })
        try broker.send(SlowBroker.accepted)
        // PUBLISH with QoS 0, a topic of one letter, and no properties.
        let batch = Array(repeating: [0x30, 4, 0, 1, UInt8(ascii: "a"), 0] as [UInt8], count: 1_000).flatMap(\.self)
        func send(_ batches: Int) async throws {
            for _ in 0..<batches {
                let expected = received.value + 1_000
                try broker.send(batch)
                #expect(await eventually { received.value == expected })
            }
        }
        // Before that, buffers grow to their size.
        try await send(2)
        let before = mallinfo2().uordblks
        try await send(20)
        // Two blocks of 40 bytes for each message would be 1.9 MB.
        #expect(mallinfo2().uordblks < before + 200_000)
        connection.disconnect()
    }

    @Test(
        "sends frames to its process and back, in pieces of any size",
        arguments: [1, 2, 7, 100_000])
    func frames(size: Int) throws {
        let frames = [
            BrokerFrame(.connected), BrokerFrame(.password, "päss\u{0}word"),
            BrokerFrame(
                .publish,
                BrokerMessage(
                    topic: "boardd/1/list/home", payload: Array(0...255), quality: .atLeastOnce, isRetained: true,
                    expiry: .seconds(86_400))),
            BrokerFrame(.ended, "lost", [5]),
        ]
        let pair = try SocketPair()
        var reader = BrokerFrames(pair.reading)
        var read: [BrokerFrame] = []
        var rest = frames.flatMap(\.bytes)[...]
        while !rest.isEmpty {
            pair.write(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            try reader.receive(isBlocking: true)
            while let frame = try reader.next() { read.append(frame) }
        }
        #expect(read == frames)
    }

    @Test(
        "takes nothing but frames from its process",
        arguments: [
            [0xFF, 0xFF, 0xFF, 0x7F], [1, 0, 0, 0, 11], [10, 0, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [10, 0, 0, 0, 12, 0, 0, 0, 0, 0, 1, 0, 0, 0],
        ] as [[UInt8]])
    func noFrames(bytes: [UInt8]) throws {
        let pair = try SocketPair()
        var reader = BrokerFrames(pair.reading)
        pair.write(bytes)
        try reader.receive(isBlocking: true)
        #expect(throws: BrokerFrames.end) { try reader.next() }
    }
}

/// Two ends of a socket; closed with this value.
private final class SocketPair {
    let reading: Int32
    private let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    func write(_ bytes: [UInt8]) { _ = unsafe Glibc.send(writing, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
}
