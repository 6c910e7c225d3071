import Testing
import Waiting

@testable import boardd

@Suite("A relay", .endsHangs)
struct BufferedStreamTests {
    @Test("keeps what nobody has listened to yet")
    func early() async {
        let relay = BufferedStream<Int>()
        relay.send(1)
        relay.send(2)
        var elements = relay.elements().makeAsyncIterator()
        relay.send(3)
        #expect(await [elements.next(), elements.next(), elements.next()] == [1, 2, 3])
    }

    @Test("goes on with a second listener after the first was cancelled")
    func again() async {
        let relay = BufferedStream<Int>()
        let first = Task { for await _ in relay.elements() {} }
        first.cancel()
        await first.value
        relay.send(1)
        var elements = relay.elements().makeAsyncIterator()
        #expect(await elements.next() == 1)
    }

    @Test("keeps only as many as it was told to, the newest")
    func limit() async {
        let relay = BufferedStream<Int>(limit: 1)
        relay.send(1)
        relay.send(2)
        var elements = relay.elements().makeAsyncIterator()
        #expect(await elements.next() == 2)
        relay.send(3)
        relay.send(4)
        #expect(await elements.next() == 4)
    }
}
