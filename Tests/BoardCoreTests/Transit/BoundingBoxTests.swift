import BoardCore
import Testing

@Suite("A box on the map")
struct BoundingBoxTests {
    @Test("is written as south, west, north, east, and crosses the antimeridian where west is greater than east")
    func written() throws {
        let box = try BoundingBox(written: "51.50, -0.15,51.53,-0.12")
        #expect(box == BoundingBox(south: 51.5, west: -0.15, north: 51.53, east: -0.12))
        #expect(box.description == "51.5,-0.15,51.53,-0.12")
        #expect(box.parts.map(\.west) == [-0.15] && box.parts.map(\.north) == [51.53])
        let pacific = try BoundingBox(written: "-19,177,-16,-178")
        #expect(pacific.parts.map(\.west) == [177, -180] && pacific.parts.map(\.east) == [180, -178])
        #expect(try BoundingBox(written: pacific.description) == pacific)
        #expect(try BoundingBox(written: "1,2,1,2").parts.count == 1)
    }

    @Test(
        "a wrong one is rejected with what is wrong",
        arguments: [
            ("", "must be south,west,north,east"), ("1,2,3", "must be south,west,north,east"),
            ("1,2,3,4,5", "must be south,west,north,east"), ("1,2,3,x", "must be south,west,north,east"),
            ("1,2,3,4,", "must be south,west,north,east"), ("1e1,2,3,4", "must be south,west,north,east"),
            ("nan,2,3,4", "must be south,west,north,east"),
            ("99,2,99,4", "has the latitude 99.0, which must be from -90 to 90"),
            ("1,2,3,181", "has the longitude 181.0, which must be from -180 to 180"),
            ("3,2,1,4", "has a south edge that is north of its north edge"),
        ])
    func wrong(text: String, message: String) {
        let fault = #expect(throws: PlainError.self) { try BoundingBox(written: text) }
        #expect(fault?.description.hasPrefix(message) == true, "\(fault?.description ?? "")")
    }
}
