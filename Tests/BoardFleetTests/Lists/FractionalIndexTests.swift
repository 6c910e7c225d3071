import BoardCore
import Testing

@testable import BoardFleet

@Suite("Places in a shared list")
struct FractionalIndexTests {
    /// The longest of 10,000 places, each inserted at one end of the gap between two neighbours.
    private func longest(_ first: FractionalIndex?, _ last: FractionalIndex?, isUp: Bool) -> Int {
        var (lower, upper) = (first, last)
        var longest = 0
        var isOrdered = true
        for _ in 0..<10_000 {
            let place = FractionalIndex.between(lower, upper)
            isOrdered = isOrdered && lower.map { $0 < place } ?? true && upper.map { place < $0 } ?? true
            isOrdered = isOrdered && FractionalIndex(place.description) == place
            longest = max(longest, place.length)
            if isUp { lower = place } else { upper = place }
        }
        #expect(isOrdered)
        return longest
    }

    @Test("10,000 insertions at one place stay in order, and the places short", arguments: [true, false])
    func onePlace(isUp: Bool) throws {
        let pair = FractionalIndex.evenly(2)
        #expect(longest(pair[0], pair[1], isUp: isUp) <= 16)
        #expect(longest(nil, nil, isUp: isUp) <= 16)
        #expect(longest(nil, pair[0], isUp: isUp) <= 16)
        #expect(longest(pair[1], nil, isUp: isUp) <= 16)
        #expect(longest(FractionalIndex("V"), FractionalIndex("V1"), isUp: isUp) <= 16)
    }

    @Test("a place between the last two is always possible")
    func halving() throws {
        var (lower, upper) = (FractionalIndex.between(nil, nil), FractionalIndex?.none)
        for index in 0..<200 {
            let place = FractionalIndex.between(lower, upper)
            #expect(lower < place && upper.map { place < $0 } ?? true)
            if index.isMultiple(of: 2) { upper = place } else { lower = place }
        }
    }

    @Test("10,000 insertions at random places stay in order")
    func random() throws {
        var generator = RandomSource(seed: 1)
        var places: [FractionalIndex] = []
        for _ in 0..<10_000 {
            let index = Int.random(in: 0...places.count, using: &generator)
            let place = FractionalIndex.between(
                index > 0 ? places[index - 1] : nil, index < places.count ? places[index] : nil)
            places.insert(place, at: index)
        }
        #expect(places == places.sorted() && Set(places).count == places.count)
        #expect(places.map(\.description) == places.map(\.description).sorted(), "as texts, too")
        #expect(places.map(\.length).max() ?? 0 <= 16)
    }

    @Test("a whole list gets places in order, with room between them", arguments: [1, 2, 61, 62, 100, 1_000])
    func evenly(count: Int) throws {
        let places = FractionalIndex.evenly(count)
        #expect(places.count == count && places == places.sorted() && Set(places).count == count)
        #expect(places.allSatisfy { $0.length <= 3 })
    }

    @Test("other texts are no places", arguments: ["", "V0", "a-b", "é", String(repeating: "z", count: 129)])
    func invalid(text: String) {
        #expect(FractionalIndex(text) == nil)
    }

    @Test("neighbours in the wrong order are no obstacle")
    func reversed() throws {
        let pair = FractionalIndex.evenly(2)
        #expect(FractionalIndex.between(pair[1], pair[0]) > pair[1])
        #expect(FractionalIndex.between(pair[1], pair[1]) > pair[1])
    }
}
