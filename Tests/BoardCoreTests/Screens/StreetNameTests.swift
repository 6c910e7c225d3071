import Testing

@testable import BoardCore

@Suite("A name in a row")
struct StreetNameTests {
    private func parts(_ name: String, _ width: Int, _ language: Language = .english) -> [String] {
        language.streetNames.parts(name, width: width)
    }

    @Test("is whole if it fits")
    func whole() {
        #expect(parts("Oxford Circus", 13) == ["Oxford Circus"])
    }

    @Test("is abbreviated as on the street sign, from the last word on, and as little as needed")
    func abbreviated() {
        #expect(parts("Clapham Park Road", 15) == ["Clapham Park Rd"])
        #expect(parts("Clapham Park Road", 13) == ["Clapham Pk Rd"])
        #expect(parts("Platz der Luftbrücke", 18, .german) == ["Pl der Luftbrücke"])
        #expect(parts("Friedrichstraße", 13, .german) == ["Friedrichstr"])
        #expect(parts("Porte d'Orléans", 13, .french) == ["Pte d'Orléans"])
        #expect(parts("Avenida Pío XII", 10, .spanish) == ["Av Pío XII"])
        #expect(parts("Chester-le-Street", 13) == ["Chester-le-St"])
        // Of other languages than the board's, too.
        #expect(parts("Hauptbahnhof", 5) == ["Hbf"])
    }

    @Test("continues in two or three parts of whole words")
    func tiles() {
        #expect(parts("Oxford Circus", 12) == ["Oxford…", "…Circus"])
        #expect(parts("Holborn, Red Lion Square", 12) == ["Holborn…", "…Red Lion Sq"])
        #expect(parts("Bristol Temple Meads", 9) == ["Bristol…", "…Temple…", "…Meads"])
        #expect(parts("Walthamstow Central", 12) == ["Walthamstow…", "…Central"])
    }

    @Test("keeps small words with the word after them")
    func small() {
        #expect(parts("Mairie de Saint-Ouen", 12, .french) == ["Mairie…", "…de St-Ouen"])
        #expect(parts("Edgware via Bank", 13) == ["Edgware…", "…via Bank"])
    }

    @Test("shows the beginning and the end of a word that is longer than the row, whole words first")
    func long() {
        #expect(parts("Möckernbrücke", 11, .german) == ["Möckernbrü…", "…kernbrücke"])
        #expect(parts("Portsmouth Harbour", 9) == ["Portsmou…", "…Harbour"])
        #expect(parts("at Euston Station", 9) == ["at Euston", "…Stn"])
        #expect(parts("Palma de Mallorca", 8) == ["Palma…", "…de Mal…", "…allorca"])
    }

    @Test("is never longer than the row, for any name and width")
    func bounded() {
        let names = [
            "Oxford Circus", "A", "Heathrow Terminals 2 & 3", "Los Molinos, Peñagrande", "la de la", "-- -",
            "Rosa-Luxemburg-Platz",
            "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch",
        ]
        for language in Language.allCases {
            let streetNames = language.streetNames
            for name in names {
                for width in -1...40 {
                    let parts = streetNames.parts(name, width: width)
                    #expect(
                        !parts.isEmpty && parts.allSatisfy { $0.isEmpty == (width < 1) && $0.count <= max(0, width) },
                        "\(name) in \(width): \(parts)")
                    guard width > 2 else { continue }
                    // Only the last part ends without a sign that the name continues, and only the first begins so; or a
                    // word fills the width.
                    func isWord(_ part: String) -> Bool { part.count >= width - 1 }
                    #expect(parts.dropLast().allSatisfy { $0.hasSuffix("…") || isWord($0) }, "\(name): \(parts)")
                    #expect(parts.dropFirst().allSatisfy { $0.hasPrefix("…") || isWord($0) }, "\(name): \(parts)")
                }
            }
        }
    }

    @Test("has no operator's suffix; the longest of the user's short forms applies first")
    func full() {
        let names = PlaceName(
            suffixes: [" Station", " Underground Station"],
            personal: ["Cross": "X", "Kings Cross St Pancras": "Kings X", "Road": "Rd"])
        #expect(names.full("Kings Cross St Pancras Underground Station") == "Kings X")
        #expect(names.full("Charing Cross  Road") == "Charing X Rd")
        #expect(names.full(" Station") == "Station")
    }
}
