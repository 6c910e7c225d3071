import Testing

@testable import BoardCore

@Suite("Short forms of place names")
struct WordsPlaceNamesTests {
    private func fitted(_ name: String, to width: Int, _ language: Language = .english) -> String {
        PlaceName(suffixes: [], personal: [:], shipped: language.placeNames).fitted(name, to: width)
    }

    @Test(
        "are those that people of the city use",
        arguments: [
            (Language.german, "Hauptbahnhof", "Hbf"), (.german, "Friedrichstraße", "Friedrichstr"),
            (.german, "Bahnhofstrasse", "Bahnhofstr"), (.german, "Straße des 17. Juni", "Str 17. Juni"),
            (.german, "Rosa-Luxemburg-Platz", "Rosa-Luxemburg-Pl"), (.german, "Ostbahnhof", "Ostbf"),
            (.french, "Gare Saint-Lazare", "G. St-Lazare"), (.french, "Porte d’Orléans", "Pte Orléans"),
            (.french, "Place d'Italie", "Pl Italie"), (.french, "Hôtel de Ville", "Hôt Ville"),
            (.french, "Saint-Germain-des-Prés", "St-Germain-des-Prés"), (.french, "Boulevard Voltaire", "Bd Voltaire"),
            (.spanish, "Plaza de Castilla", "Pza Castilla"), (.spanish, "Estación de Chamartín", "Est Chamartín"),
            (.spanish, "Avenida de América", "Avda América"), (.spanish, "Calle de la Princesa", "C/ Princesa"),
            (.english, "King's Road", "King's Rd"), (.english, "Walthamstow Central", "Walthamstow Ctrl"),
        ] as [(Language, String, String)])
    func forms(language: Language, name: String, short: String) {
        #expect(fitted(name, to: short.count, language) == short)
    }

    @Test("of stations of one city keep them distinguishable")
    func london() {
        #expect(fitted("London Bridge", to: 13) == "London Bridge")
        #expect(fitted("London Bridge", to: 7) == "Ldn Br")
        #expect(fitted("London Victoria", to: 7) == "Victori")
    }

    @Test("are used only where a name does not fit")
    func whole() {
        #expect(fitted("Plaza de Castilla", to: 17, .spanish) == "Plaza de Castilla")
        #expect(fitted("Plaza de Castilla", to: 16, .spanish) == "Plaza Castilla")
    }

    @Test("of a city apply whatever the display's language", arguments: Language.allCases)
    func everywhere(language: Language) {
        #expect(fitted("Friedrichstraße", to: 13, language) == "Friedrichstr")
        #expect(fitted("Boulevard Voltaire", to: 13, language) == "Bd Voltaire")
        #expect(fitted("Glorieta Bilbao", to: 11, language) == "Gta Bilbao")
        #expect(fitted("Oxford Street", to: 10, language) == "Oxford St")
    }

    @Test("are those of the display's language where two languages differ")
    func own() {
        #expect(fitted("General Hospital", to: 12, .english) == "General Hosp")
        #expect(fitted("General Hospital", to: 12, .spanish) == "General Hosp")
    }

    @Test("are never the whole rest of a name: a kind of place or an article gives way to the distinguishing words")
    func reporting() {
        #expect(fitted("Plaza de Castilla", to: 8, .spanish) == "Pza Cast")
        #expect(fitted("Plaza de Castilla", to: 7, .spanish) == "Castill")
        #expect(fitted("Plaza del Perú", to: 6, .spanish) == "Perú")
        #expect(fitted("Los Molinos", to: 6, .spanish) == "Molino")
        #expect(fitted("Porte d'Orléans", to: 6, .french) == "Orléan")
        #expect(fitted("Gare Saint-Lazare", to: 6, .french) == "St-Laz")
        #expect(fitted("Flughafen BER Terminal", to: 5, .german) == "BER T")
        #expect(fitted("Flughafen BER Terminal", to: 10, .german) == "Flugh BER")
        #expect(fitted("Heathrow Terminal 5", to: 4) == "Hthr")
        #expect(fitted("High Barnet", to: 6) == "Barnet")
        #expect(fitted("Great Malvern", to: 6) == "Great")
    }

    @Test("of a row use every cell: a cut before a word has full stops, and a number is whole or absent")
    func rows() {
        let names = PlaceName(suffixes: [], personal: [:], shipped: Language.english.placeNames)
        #expect(names.filled("Great Malvern", to: 6) == "Great.")
        #expect(names.filled("Great Malvern", to: 7) == "Great M")
        #expect(names.filled("Windsor & Eton", to: 9) == "Windsor &")
        #expect(names.filled("Oxford Circus", to: 12) == "Oxford Circu")
        #expect(names.filled("Walthamstow Central", to: 17) == "Walthamstow Ctrl")
        #expect(names.filled("Holborn, Red Lion Square", to: 9) == "Holborn..")
        #expect(names.filled("Platform 12", to: 10) == "Platform.")
        let spanish = PlaceName(suffixes: [], personal: [:], shipped: Language.spanish.placeNames)
        #expect(spanish.filled("Avenida Pío XII", to: 11) == "Pío XII")
        #expect(spanish.filled("Avenida Pío XII", to: 6) == "Pío.")
    }

    @Test("leave no name empty, and drop no part of a compound")
    func nonEmpty() {
        #expect(fitted("De La Warr", to: 4) == "Warr")
        #expect(fitted("Chester-le-Street", to: 13) == "Chester-le-St")
        #expect(!fitted("la de la", to: 3).isEmpty)
    }
}
