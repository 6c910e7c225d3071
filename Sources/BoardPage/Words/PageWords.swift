public import BoardCore

/// All text of the page in one language, by the keys that its script uses: `words` of `GET /v1/page`.
///
/// There are no defaults: a language that lacks a text does not compile. `%word`, `%code` and `%time` are placeholders.
public struct PageWords: Sendable, Encodable {
    // Screens.
    let board: String
    let find: String
    let favourites: String
    let about: String
    let screens: String
    let skip: String

    // Board and departures.
    let display: String
    let displayOff: String
    let next: String
    let refresh: String
    let refreshing: String
    let line: String
    let destination: String
    let time: String
    let due: String
    let minutes: String
    let delayed: String
    let cancelled: String
    let stale: String
    let scheduled: String
    let platform: String
    let tooLate: String
    let replacement: String
    let booked: String
    let via: String
    let coaches: String
    let vehicle: String
    /// The short names of the days from Sunday, with a space between two.
    let dayNames: String
    let nothing: String
    let updated: String
    let alerts: String
    let uncertainTime: String
    let faults: String
    let noFavourites: String
    let findStop: String
    let onlyPaired: String

    // Connection.
    let offline: String
    let unreachable: String
    let manyPages: String
    let loading: String

    // Stop.
    let favourite: String
    let starOf: String
    let added: String
    let removed: String
    let undo: String
    let undoLast: String
    let undone: String
    let map: String
    let showDepartures: String
    let notPolled: String
    let alertsTitle: String
    let linesTitle: String
    let sort: String
    let byTime: String
    let byLine: String
    let towardsOf: String

    // Find and map.
    let findLabel: String
    let findHelp: String
    let search: String
    let near: String
    let nearMe: String
    let noLocation: String
    let noPosition: String
    let noCoordinates: String
    let found: String
    let notFound: String
    let stopsNearest: String
    let noStopsHere: String
    let more: String
    let mapHelp: String
    let mapKeys: String
    let zoomIn: String
    let zoomOut: String

    // Favourites.
    let moveUp: String
    let moveDown: String
    let moveTo: String
    let moveToOf: String
    let moved: String
    let edit: String
    let editOf: String
    let remove: String
    let removeOf: String
    let save: String
    let saved: String
    let cancel: String
    let walkOf: String
    let labelKey: String
    let labelHelp: String
    let linesKey: String
    let linesHelp: String
    let walkKey: String
    let walkHelp: String
    let whenKey: String
    let whenHelp: String
    let addHours: String
    let removeHours: String
    let days: String
    let daily: String
    let weekdays: String
    let weekend: String
    let from: String
    let until: String
    let platformsKey: String
    let platformsHelp: String
    let towardsKey: String
    let towardsHelp: String

    // Changes by other boards: the board, and how long ago; the names of further keys.
    let addedBy: String
    let removedBy: String
    let changedBy: String
    let placeKey: String
    let sortKey: String

    // Pairing and devices.
    let pair: String
    let pairHelp: String
    let digits: String
    let sixDigits: String
    let deviceName: String
    let pairNow: String
    let newDigits: String
    let paired: String
    let notPaired: String
    let readOnly: String
    let devices: String
    let thisDevice: String
    let lastUsed: String

    // About.
    let health: String
    let healthy: String
    let configuration: String
    let buttons: String
    let departuresCount: String
    let data: String
    let directoryOf: String
    let stopsCount: String
    let name: String
    let address: String
    let version: String

    // A page under another name, which is not the script's.
    let foreignName: String
    let foreignNameHelp: String

    // Errors, by the first part of the path and the status; the daemon's sentence in English follows. Empty: that sentence alone.
    let noDirectory: String
    let favourites400: String
    let favourites403: String
    let favourites404: String
    let favourites409: String
    let favourites422: String
    let pairings403: String
    let pairings404: String
    let pairings409: String
    let pairings422: String
    let pairings429: String
}

extension PageWords {
    public static func of(_ language: Language) -> PageWords {
        switch language {
        case .english: english
        case .german: german
        case .french: french
        case .spanish: spanish
        }
    }
}
