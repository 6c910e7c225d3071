import BoardCore
import Testing

@Suite("Links of maps")
struct MapLinkTests {
    @Test(
        "a link has the place of its marker, otherwise the centre of its map",
        arguments: [
            "https://www.openstreetmap.org/?mlat=45.7606&mlon=4.8596#map=19/45.1/4.1",
            "https://www.openstreetmap.org/#map=17/45.7606/4.8596",
            "https://www.openstreetmap.org/node/21714028#map=19/45.7606/4.8596&layers=T",
            "https://www.google.com/maps/place/Gare+de+Lyon-Part-Dieu/@45.1,4.1,17z/data=!3m1!4b1!4m6!3m5!1s0x0!8m2!3d45.7606!4d4.8596!16s",
            "https://www.google.com/maps/@45.7606,4.8596,15z",
            "https://www.google.com/maps/search/45.7606,+4.8596?entry=tts",
            "https://www.google.com/maps?q=45.7606,4.8596&z=17",
            "https://www.google.com/maps/search/?api=1&query=45.7606%2C4.8596",
            "https://maps.apple.com/?ll=45.7606,4.8596&q=Part-Dieu",
            "https://maps.apple.com/place?address=Lyon&coordinate=45.7606,4.8596&name=Part-Dieu",
            "geo:45.7606,4.8596?z=17", "geo:45.7606,4.8596;u=35",
        ])
    func place(link: String) throws {
        #expect(try Coordinates(written: link).description == "45.7606,4.8596")
    }

    @Test("a southern and western place keeps its signs")
    func signs() throws {
        #expect(try Coordinates(written: "https://maps.apple.com/?ll=-33.87,-151.2").description == "-33.87,-151.2")
    }

    @Test(
        "a link without coordinates has a message of its own, also with numbers that are none",
        arguments: [
            "https://maps.app.goo.gl/Ab3dEf", "https://example.org/", "geo:here", "https://example.org/@95.0,200.0",
            "https://example.org/@1.2.3,4.5.6",
        ])
    func none(link: String) {
        let error = #expect(throws: PlainError.self) { try Coordinates(written: link) }
        #expect(error?.description.hasPrefix("is a link without coordinates") == true)
        #expect(error != Coordinates.notCoordinates)
    }
}
