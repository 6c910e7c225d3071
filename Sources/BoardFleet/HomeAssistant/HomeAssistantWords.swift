internal import BoardCore

/// The names of the entities of a board, in its language.
struct HomeAssistantWords: Hashable, Sendable {
    /// Before the name of a stop.
    let leave: String
    let problem: String
    /// Before a number.
    let button: String
    let nextPage: String
    let refresh: String
    let page: String
    let light: String
    let message: String

    static func of(_ language: Language) -> HomeAssistantWords {
        switch language {
        case .english:
            HomeAssistantWords(
                leave: "Leave for", problem: "Problem", button: "Button", nextPage: "Next page", refresh: "Refresh",
                page: "Page", light: "Light", message: "Message")
        case .german:
            HomeAssistantWords(
                leave: "Losgehen:", problem: "Störung", button: "Taste", nextPage: "Nächste Seite",
                refresh: "Aktualisieren", page: "Seite", light: "Licht", message: "Nachricht")
        case .french:
            HomeAssistantWords(
                leave: "Partir pour", problem: "Problème", button: "Bouton", nextPage: "Page suivante",
                refresh: "Actualiser", page: "Page", light: "Lumière", message: "Message")
        case .spanish:
            HomeAssistantWords(
                leave: "Salir hacia", problem: "Problema", button: "Botón", nextPage: "Página siguiente",
                refresh: "Actualizar", page: "Página", light: "Luz", message: "Mensaje")
        }
    }
}
