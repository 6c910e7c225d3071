import BoardCore

/// The sample data of a gallery: a language, and stops, lines and trains with names in it.
struct GallerySample {
    /// A departure by its line and destination.
    typealias Row = (line: String, destination: String)

    let language: Language
    let bus: FeedProfile
    /// A stop with the rows of six departures, in order: due, in minutes, stale, delayed, cancelled, scheduled.
    let stop: (label: String, name: String, letter: String?, rows: [Row])
    /// The lines of interest of the first stop.
    let lines: [String]
    /// A second stop, with two rows.
    let other: (label: String, name: String, rows: [Row])
    let trains: FeedProfile
    /// A station with its code, and the destinations of seven trains, in order: on time, late, delayed, cancelled, a bus
    /// instead, two scheduled.
    let station: (label: String, code: String, destinations: [String])
    /// The calling points of the first train: two before the station, the station, three calls after it.
    let calls: [String]
    let reason: String
    /// A client's message.
    let message: String
    let alerts: [String]

    /// The operator's profile, like TfL's.
    static func profile(
        _ name: String, _ title: String, _ attribution: String, suffixes: [String] = [],
        leadingColumn: FeedProfile.LeadingColumn = .line
    ) -> FeedProfile {
        FeedProfile(
            name: FeedName(name), title: title, attribution: attribution, suffixes: suffixes,
            leadingColumn: leadingColumn, interval: .seconds(30),
            quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))
    }

    static let all = [london, berlin, paris, madrid]

    static let london = GallerySample(
        language: .english,
        bus: profile("tfl", "TfL", "Powered by TfL Open Data", suffixes: [" Underground Station"]),
        stop: (
            "Oxford St", "Oxford Street", "N",
            [
                ("73", "Oxford Circus Underground Station"), ("390", "Archway"), ("8", "Café Zürich £5"),
                ("25", "City Thameslink"), ("98", "Holborn, Red Lion Square"), ("N73", "Walthamstow Central"),
            ]
        ),
        lines: ["73", "390"],
        other: ("Euston", "Euston Station", [("18", "Sudbury"), ("30", "Hackney")]),
        trains: profile("rail", "Rail", "Powered by National Rail Enquiries", leadingColumn: .booked),
        station: (
            "Paddington", "PAD",
            ["Oxford", "Bristol Temple Meads", "Great Malvern", "Heathrow Terminal 5", "Slough", "Reading", "Swansea"]
        ),
        calls: ["Ealing Broadway", "Acton Main Line", "London Paddington", "Reading", "Didcot Parkway", "Oxford"],
        reason: "This is due to a signalling fault",
        message: "Dinner is ready. Please come to the table before the soup is cold.",
        alerts: [
            "Lifts at Paddington are out of order.",
            "Buses replace trains between Reading and Oxford until Sunday because of works on the line.",
        ])

    static let berlin = GallerySample(
        language: .german,
        bus: profile("vbb", "VBB", "Daten: VBB"),
        stop: (
            "Hermannplatz", "U Hermannplatz", nil,
            [
                ("M41", "Hauptbahnhof"), ("M29", "Grunewald, Roseneck"), ("U7", "Möckernbrücke"),
                ("171", "Flughafen BER Terminal"), ("194", "Friedrichsfelde, Schloßstraße"),
                ("N8", "Rosa-Luxemburg-Platz"),
            ]
        ),
        lines: ["M41", "M29"],
        other: ("Südkreuz", "S Südkreuz Bahnhof", [("248", "Ostbahnhof"), ("M46", "Zoologischer Garten")]),
        trains: profile("db", "DB", "Daten: DB InfraGO", leadingColumn: .booked),
        station: (
            "Berlin Hbf", "BLS",
            [
                "Potsdam", "Frankfurt (Oder)", "Düsseldorf Hauptbahnhof", "Stralsund Hauptbahnhof",
                "Königs Wusterhausen", "Wünsdorf-Waldstadt", "Leipzig Hauptbahnhof",
            ]
        ),
        calls: ["Frankfurt (Oder)", "Ostkreuz", "Berlin Hauptbahnhof", "Zoologischer Garten", "Wannsee", "Potsdam"],
        reason: "Grund: Störung an einer Weiche",
        message: "Das Essen ist fertig. Bitte kommt zu Tisch, bevor die Suppe kalt wird.",
        alerts: [
            "Der Aufzug zu Gleis 3 ist außer Betrieb.",
            "Zwischen Wannsee und Potsdam fahren bis Sonntag Busse statt der Züge: Bauarbeiten.",
        ])

    static let paris = GallerySample(
        language: .french,
        bus: profile("idfm", "IDFM", "Données : IDFM"),
        stop: (
            "Châtelet", "Châtelet", nil,
            [
                ("21", "Gare Saint-Lazare"), ("38", "Porte d'Orléans"), ("85", "Mairie de Saint-Ouen"),
                ("72", "Hôtel de Ville"), ("96", "Gare Montparnasse"), ("N15", "Château de Vincennes"),
            ]
        ),
        lines: ["21", "38"],
        other: ("Nation", "Place de la Nation", [("56", "Porte de Clignancourt"), ("86", "Saint-Germain-des-Prés")]),
        trains: profile("sncf", "SNCF", "Données : SNCF", leadingColumn: .booked),
        station: (
            "Gare de Lyon", "PLY",
            [
                "Melun", "Évry-Courcouronnes", "Besançon Viotte", "Montereau via Moret", "Nîmes Centre", "Genève",
                "Saint-Étienne Châteaucreux",
            ]
        ),
        calls: ["Châtelet-les-Halles", "Gare du Nord", "Paris Gare de Lyon", "Maisons-Alfort", "Brunoy", "Melun"],
        reason: "Panne d'un aiguillage",
        message: "Le dîner est prêt. Venez à table avant que la soupe ne refroidisse.",
        alerts: [
            "L'ascenseur de la voie 3 est hors service.",
            "Des cars remplacent les trains entre Brunoy et Melun jusqu'à dimanche en raison de travaux.",
        ])

    static let madrid = GallerySample(
        language: .spanish,
        bus: profile("emt", "EMT", "Datos: EMT Madrid"),
        stop: (
            "Cibeles", "Plaza de Cibeles", nil,
            [
                ("27", "Plaza de Castilla"), ("51", "Plaza del Perú"), ("146", "Los Molinos, Peñagrande"),
                ("14", "Avenida Pío XII"), ("5", "Estación de Chamartín"), ("N2", "Hortaleza, Valdebebas"),
            ]
        ),
        lines: ["27", "51"],
        other: ("Atocha", "Estación de Atocha", [("10", "Palomeras"), ("32", "Pavones")]),
        trains: profile("renf", "Renf", "Datos: Renfe", leadingColumn: .booked),
        station: (
            "Atocha", "ATO",
            [
                "Móstoles", "Alcalá de Henares", "Guadalajara", "Aranjuez", "El Escorial", "Príncipe Pío",
                "Estación de Chamartín",
            ]
        ),
        calls: ["Recoletos", "Chamartín", "Madrid Atocha", "Villaverde Alto", "Alcorcón", "Móstoles"],
        reason: "Avería en la señalización",
        message: "La cena está lista. Venid a la mesa antes de que se enfríe la sopa.",
        alerts: [
            "El ascensor de la vía 3 está fuera de servicio.",
            "Autobuses en lugar de trenes entre Alcorcón y Móstoles hasta el domingo por obras.",
        ])
}
