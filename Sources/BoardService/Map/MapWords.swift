public import BoardCore

/// The words on a map.
public struct MapWords: Hashable, Sendable {
    /// What the picture is.
    let title: String
    /// That there are too many stops to draw each: `%code` of them.
    let zoomIn: String
    /// The letter of the direction north.
    let north: String

    func zoomIn(_ count: Int) -> String { zoomIn.replacing("%code", with: "\(count)") }
}

extension MapWords {
    public static func of(_ language: Language) -> MapWords {
        switch language {
        case .english: MapWords(title: "Map of stops", zoomIn: "%code stops: zoom in to see all", north: "N")
        case .german:
            MapWords(title: "Karte der Haltestellen", zoomIn: "%code Haltestellen: zum Anzeigen zoomen", north: "N")
        case .french: MapWords(title: "Carte des arrêts", zoomIn: "%code arrêts : zoomez pour les voir", north: "N")
        case .spanish:
            MapWords(title: "Mapa de paradas", zoomIn: "%code paradas: acerca el mapa para verlas", north: "N")
        }
    }
}
