import BoardCore
import Testing

@Suite("Saturating arithmetic of times")
struct SaturationTests {
    @Test("sums and differences saturate at the ends of the range and do not trap")
    func ends() {
        let first = Timestamp(microseconds: .min)
        let last = Timestamp(microseconds: .max)
        #expect(last - first == .microseconds(Int64.max))
        #expect(first - last == .microseconds(Int64.min))
        #expect(Timestamp(seconds: 0) - first == .microseconds(Int64.max))
        #expect(first - .seconds(1) == first)
        #expect(last + .seconds(1) == last)
        #expect(Timestamp(seconds: 0) - .microseconds(Int64.min) == last)
        #expect(Instant(microseconds: 0) - Instant(microseconds: .min) == .microseconds(Int64.max))
        #expect(Instant(microseconds: 0) - .microseconds(Int64.min) == Instant(microseconds: .max))
    }
}
