import Testing
import Waiting

@testable import boardd

@Suite("A buffered stream", .endsHangs)
struct BufferedStreamTests {
    @Test("buffers elements that were sent before it is read")
    func early() async {
        let stream = BufferedStream<Int>()
        stream.send(1)
        stream.send(2)
        var elements = stream.elements().makeAsyncIterator()
        stream.send(3)
        #expect(await [elements.next(), elements.next(), elements.next()] == [1, 2, 3])
    }

    @Test("continues with a second reader after the first was cancelled")
    func again() async {
        let stream = BufferedStream<Int>()
        let first = Task { for await _ in stream.elements() {} }
        first.cancel()
        await first.value
        stream.send(1)
        var elements = stream.elements().makeAsyncIterator()
        #expect(await elements.next() == 1)
    }

    @Test("buffers at most its limit, the newest elements")
    func limit() async {
        let stream = BufferedStream<Int>(limit: 1)
        stream.send(1)
        stream.send(2)
        var elements = stream.elements().makeAsyncIterator()
        #expect(await elements.next() == 2)
        stream.send(3)
        stream.send(4)
        #expect(await elements.next() == 4)
    }
}
