import BoardCore
import BoardStore
import Testing

@Suite("The stops of a box on the map")
struct BoxTests {
    private func found(_ folder: DirectoryFolder, _ box: String, limit: Int = 10) throws -> String {
        let (stops, total) = try folder.directory.stops(in: try BoundingBox(written: box), limit: limit)
        return (stops.found.map(\.id.code) + ["of \(total)"]).joined(separator: " ")
    }

    @Test("are interchanges, stations and poles, in this order and then by name; areas are left out and not counted")
    func order() throws {
        let folder = try DirectoryFolder([
            stop("P2", "Mill Lane", at: (51.5, -0.1)), stop("P1", "Abbey Road", letter: "B", at: (51.5, -0.11)),
            stop("P0", "Abbey Road", letter: "A", at: (51.5, -0.11)), stop(.area, "A", "Aldgate", at: (51.5, -0.1)),
            stop(.station, "S", "Zoo Station", at: (51.5, -0.1)), stop(.interchange, "I", "Zoo", at: (51.5, -0.1)),
            stop("far", "Abbey Road", at: (51.6, -0.1)), stop("west", "Abbey Road", at: (51.5, -0.3)),
            stop("nowhere", "A"),
        ])
        #expect(try found(folder, "51.49,-0.2,51.51,0") == "I S P0 P1 P2 of 5")
        #expect(try found(folder, "51.49,-0.2,51.51,0", limit: 3) == "I S P0 of 5")
        #expect(try found(folder, "51.49,-0.2,51.51,0", limit: 0) == "of 5")
        #expect(try found(folder, "51.49,-0.2,51.51,0", limit: -1) == "of 5")
        #expect(try found(folder, "-90,-180,90,180") == "I S far west P0 P1 P2 of 7")
        #expect(try found(folder, "10,10,11,11") == "of 0")
    }

    @Test("without an area in the list no stop is left out")
    func noArea() throws {
        let folder = try DirectoryFolder([stop("1", "A", at: (0, 0)), stop(.station, "2", "B", at: (0, 0))])
        #expect(try found(folder, "-1,-1,1,1") == "2 1 of 2")
    }

    @Test("are found on both sides of the antimeridian, and at the Earth's poles")
    func edges() throws {
        let folder = try DirectoryFolder([
            stop("W", "Suva", at: (-18, -179.99)), stop("E", "Taveuni", at: (-18, 179.99)),
            stop("M", "Middle", at: (-18, 0)), stop("N", "North", at: (90, 30)), stop("S", "South", at: (-90, 30)),
        ])
        #expect(try found(folder, "-19,179,-17,-179") == "W E of 2")
        #expect(try found(folder, "-19,-179,-17,179") == "M of 1")
        #expect(try found(folder, "89,-180,90,180") == "N of 1")
        #expect(try found(folder, "-90,0,-89,60") == "S of 1")
    }

    @Test("are those of all feeds, the kinds in order")
    func feeds() throws {
        let other = FeedName("other")
        let folder = try DirectoryFolder([stop("1", "B", at: (0, 0)), stop(.station, "2", "B", at: (0, 0))])
        try folder.build(
            [stop(.interchange, "3", "Z", at: (0, 0), feed: other), stop("4", "A", at: (0, 0), feed: other)], of: other)
        #expect(try found(folder, "-1,-1,1,1") == "3 2 1 4 of 4")
        #expect(try found(folder, "-1,-1,1,1", limit: 2) == "3 2 of 4")
        let missing = try failure {
            _ = try DirectoryFolder().directory.stops(in: try BoundingBox(written: "0,0,1,1"), limit: 1)
        }
        #expect(missing == .missing)
    }
}
