import BoardCore
import BoardService
import BoardStore

/// All requests to a board, one row each, with the text of docs/control/openapi.json.
///
/// A row's comment has a title, a paragraph, and a list: the parameters by name, and the statuses that mean something
/// of their own here. A test prints the document from it, from the types, and from their comments.
package enum API {
    // MARK: - board: The board and its buttons

    /// The state of the board
    ///
    /// The content of the display, the age of each stop's data, the last failure and the next attempt. Sends no request
    /// to an operator; once a second is fine.
    ///
    /// - 200: The state.
    static let state = Endpoint<Nothing, BoardState>("GET", "/v1/state", isCompressible: true)

    /// What a viewer of the board sees
    ///
    /// The display with its picture, the departures of every stop on the board, and the favourites. Sends no request to
    /// an operator.
    ///
    /// - 200: The board now.
    static let live = Endpoint<Nothing, LiveState>("GET", "/v1/live", isCompressible: true)

    /// What a viewer of the board sees, and every change
    ///
    /// Server-sent events. The first, `state`, has the data of GET /v1/live. Then, when they change: `display`, `pages`,
    /// `stop` (one stop), `departures` (of one stop, where nothing else of it changed), `favourites`, `changes` (of the
    /// favourites, by other boards) and `faults`; a new `state` when the name or the stops of the board, the kind of
    /// display, `timeSource` or `utcOffsetSeconds` change. What follows from the time alone is no change: `minutes`,
    /// `time` and `nextPollAt`.
    ///
    /// `display` has `time` and what changed of the display and its dots, with null for a row or a strip as before.
    /// `departures` has `stop`, `lastResponseAt` and, unless they are as before, `departures`: the new list, in which a
    /// number is the departure that had this index, and an object with `was` the one that had this index, with other
    /// moments.
    ///
    /// Events are sent at most four times a second, together where several things change; a client that reads slowly
    /// gets the newest state. A comment after 4 s without an event. At most eight streams; a further one gets 503.
    ///
    /// - after: The version of a state that the client has from the page: the first event is what changed since then.
    /// - 200: The events, until the client ends.
    static let events = Endpoint<Nothing, String>(
        "GET", "/v1/events", parameters: ["after"], contentType: "text/event-stream")

    /// The display as a picture
    ///
    /// What `boardd render --format svg` draws, on the panel of the configuration.
    ///
    /// - 200: The picture.
    static let display = Endpoint<Nothing, String>(
        "GET", "/v1/display.svg", contentType: "image/svg+xml", isCompressible: true)

    /// Press a button
    ///
    /// Acts exactly like a press of the real button; while the backlight is off, a press only turns it on.
    ///
    /// - 204: The press was accepted.
    static let press = Endpoint<PressRequest, Nothing>("POST", "/v1/press")

    /// Poll the operators now
    ///
    /// - 204: Each stop is polled as soon as its operator's rate limit allows.
    static let refresh = Endpoint<Nothing, Nothing>("POST", "/v1/refresh")

    /// Turn to a page
    ///
    /// As if a button had stepped there: the board returns home as after a press, and a dark board is lit for a while.
    /// It ends a message.
    ///
    /// - 204: The page is in view.
    /// - 422: Several pages have this title; the candidates are their identifiers.
    static let show = Endpoint<ShowRequest, Nothing>("POST", "/v1/show")

    /// Switch the light
    ///
    /// on: lit, also in quiet hours. off: dark, until auto or a press. auto: dark in quiet hours. It stays across
    /// restarts of boardd, not of the machine.
    ///
    /// - 204: The light is switched.
    static let light = Endpoint<LightRequest, Nothing>("POST", "/v1/light")

    /// Show a message
    ///
    /// The display shows the text instead of the page, in turns where it has no room, and is lit in quiet hours. A
    /// press ends it. A newer message replaces it.
    ///
    /// - 204: The display shows the message.
    static let message = Endpoint<BoardMessage, Nothing>("POST", "/v1/message")

    /// Reload the configuration
    ///
    /// Like systemctl reload boardd, but returns the faults. Edits of favourites.toml need no reload.
    ///
    /// - 204: The new configuration is in use.
    static let reload = Endpoint<Nothing, Nothing>("POST", "/v1/reload", access: .local)

    // MARK: - stops: Search for stops

    /// Search stops by name, by location, or in a box on the map
    ///
    /// Give query, near or box, or near with box.
    ///
    /// - query: A name or part of one, optionally with a stop letter; or the short number on the pole. Ignores case and
    ///   accents; "St" finds "Saint".
    /// - near: Latitude and longitude in degrees, such as 51.5154,-0.1419. With box: the stops that GET /v1/map.svg
    ///   draws of the box, the nearest to this place first; where the stop directory has none there, those of operators
    ///   that search stops, for a client that may change the board.
    /// - radius: The maximum distance in metres; only with near.
    /// - modes: The modes that must call, as the operator names them, separated by commas, such as bus,tube; only with
    ///   near. Default: any.
    /// - box: South, west, north and east in degrees, such as 51.50,-0.15,51.53,-0.12; a box with west greater than
    ///   east crosses the antimeridian. Without near it reads the stop directory alone, and sends no request to an
    ///   operator.
    /// - limit: The maximum number of stops: 1 to 100, by default 20; with box 1 to 150, by default 150.
    /// - 200: The stops, best or nearest first; with box alone the interchanges, stations and poles of the box, in this
    ///   order, and their number.
    static let searchStops = Endpoint<Nothing, StopsFound>(
        "GET", "/v1/stops", parameters: ["query", "near", "radius", "modes", "box", "limit"], isCompressible: true)

    /// One stop with its parts
    ///
    /// - stop: The stop as feed:code.
    /// - 200: The stop.
    static let stop = Endpoint<Nothing, StopDetail>("GET", "/v1/stops/{stop}", isCompressible: true)

    /// The departures that the board holds for a stop
    ///
    /// For the stops that the board shows. Sends no request to the operator. All departures that have not expired, also
    /// those that the filters of the page hide.
    ///
    /// - stop: The stop as feed:code.
    /// - sort: The order.
    /// - 200: The departures; none before the first response.
    /// - 404: The board does not show the stop now.
    /// - 503: Not possible now: the board is shutting down, or the action takes too long.
    static let departures = Endpoint<Nothing, StopReport>(
        "GET", "/v1/stops/{stop}/departures", parameters: ["sort"], isCompressible: true)

    /// The departures of any stop, from one request to its operator
    ///
    /// Also for a stop that is not on the board.
    ///
    /// - stop: The stop as feed:code.
    /// - 200: The departures.
    /// - 404: There is no such feed or stop.
    /// - 429: Too many requests: one in 10 s for each feed, and only while the operator's quota has room for the
    ///   board's own polls.
    /// - 503: The operator does not respond.
    static let look = Endpoint<Nothing, StopReport>("POST", "/v1/stops/{stop}/look")

    /// A map of the stops around a place
    ///
    /// An SVG document in Web Mercator on a sphere with a radius of 6371008.8 m, drawn from the stop directory. Stops
    /// are links to /stop?id=, with name, letter, lines and distance as their titles; the shape is that of the kind.
    /// Where the picture has more than 150 stops, only interchanges, stations and favourites are drawn, and a sentence
    /// reports that.
    ///
    /// The document has presentation attributes and class names, no style sheet and no script, so that it can be put
    /// into a page, whose style sheet may set other colours. Classes: map, ground, rings, ring, place, way, pole, call
    /// (a stop of the line), station, interchange, favourite, marked, names, notice, north, scale, attribution, board
    /// (what lies under a sentence).
    ///
    /// - near: Latitude and longitude of the middle in degrees, such as 51.5154,-0.1419.
    /// - scale: Metres per pixel in the middle.
    /// - size: Width and height in pixels, each from 120 to 1024.
    /// - stop: The stop to mark as feed:code; one that the directory lacks is not marked.
    /// - line: The line to draw as feed:line. Fetched from its operator, and cached for ten minutes.
    /// - 200: The map.
    /// - 404: There is no such line.
    /// - 503: Not possible now: there is no usable stop directory, the operator of the line does not respond, or the
    ///   action takes too long.
    static let map = Endpoint<Nothing, String>(
        "GET", "/v1/map.svg", parameters: ["near", "scale", "size", "stop", "line"], contentType: "image/svg+xml",
        isCompressible: true)

    /// The lines
    ///
    /// - feed: Only the lines of this feed.
    /// - 200: The lines.
    static let lines = Endpoint<Nothing, [LineEntry]>("GET", "/v1/lines", parameters: ["feed"], isCompressible: true)

    /// The stops of a line
    ///
    /// May send a request to the operator, which takes a second or two.
    ///
    /// - line: The line as feed:line, case-insensitive.
    /// - 200: The route.
    static let route = Endpoint<Nothing, RouteEntry>("GET", "/v1/lines/{line}", access: .change, isCompressible: true)

    // MARK: - directory: The stop directories, which searches use

    /// The state of the stop directories
    ///
    /// - 200: The directory of each feed that has one.
    static let directory = Endpoint<Nothing, [DirectoryState]>("GET", "/v1/directory")

    /// Update the stop directories now
    ///
    /// Directories are updated automatically every week. Searches use the old one until the new one is complete.
    ///
    /// - feed: The feed, such as gtfs.lametro, which may have no directory yet. Default: all that have one.
    /// - 202: An update is running; poll GET /v1/directory for its progress. An update that was already running
    ///   continues.
    static let updateDirectory = Endpoint<Nothing, [DirectoryState]>(
        "POST", "/v1/directory/update", access: .owner, parameters: ["feed"], status: 202)

    // MARK: - favourites: What the board shows

    /// The favourites
    ///
    /// - 200: The favourites, in the board's order.
    static let favourites = Endpoint<Nothing, [FavouriteItem]>("GET", "/v1/favourites")

    /// Add a favourite
    ///
    /// Writes favourites.toml and preserves its comments and order.
    ///
    /// - 201: The favourite was added, and the board shows it.
    /// - 409: The stop is a favourite already.
    static let addFavourite = Endpoint<NewFavourite, FavouriteItem>("POST", "/v1/favourites", status: 201)

    /// Take back the last change of the favourites
    ///
    /// A change that the running board made, at most ten minutes ago, unless the file has changed since.
    ///
    /// - 200: The favourites as before the change.
    /// - 404: There is no change to undo.
    /// - 409: The file has changed since.
    static let undoFavourites = Endpoint<Nothing, [FavouriteItem]>("POST", "/v1/favourites/undo")

    /// The changes of the favourites by other boards of the fleet
    ///
    /// For each stop the last change by another board, of the last seven days. Stops that another board removed are
    /// included. Empty where the board shares no list.
    ///
    /// - 200: The changes, the newest first.
    static let favouriteChanges = Endpoint<Nothing, [SharedFavouriteChange]>("GET", "/v1/favourites/changes")

    /// Move or change a favourite
    ///
    /// - stop: The stop as feed:code.
    /// - 200: The changed favourite.
    static let changeFavourite = Endpoint<FavouriteChange, FavouriteItem>("PATCH", "/v1/favourites/{stop}")

    /// Remove a favourite
    ///
    /// - stop: The stop as feed:code.
    /// - 204: The favourite was removed.
    static let removeFavourite = Endpoint<Nothing, Nothing>("DELETE", "/v1/favourites/{stop}")

    /// Take back the last change of a favourite by another board
    ///
    /// Writes the values before that change, or adds or removes the stop again; all boards that share the list take it
    /// over. Later changes of other keys stay.
    ///
    /// - stop: The stop as feed:code.
    /// - 200: The favourites as before the change.
    /// - 404: No other board has changed this stop in the last seven days, or the board shares no list.
    /// - 409: The stop, or favourites.toml, was changed since.
    static let revertFavourite = Endpoint<Nothing, [FavouriteItem]>("POST", "/v1/favourites/{stop}/revert")

    // MARK: - devices: Devices that may change the board over its page

    /// Start to pair a device
    ///
    /// The display shows six digits for two minutes, and for 30 s after the last request for the pairing. Several
    /// devices may start it: they try the same digits. A press of a button declines.
    ///
    /// - 201: The pairing. It has the code on this socket only, not on the page.
    /// - 429: The last digits were not entered, or a person declined them at the board: the pause doubles each time.
    static let startPairing = Endpoint<Nothing, PairingStarted>("POST", "/v1/pairings", access: .open, status: 201)

    /// Wait for the code of a pairing
    ///
    /// A device that waits requests it every 10 s. Once no device has done so for 30 s, the pairing is over.
    ///
    /// - id: The identifier of the pairing.
    /// - 200: The pairing is open.
    /// - 404: The pairing expired, or a person declined it.
    static let getPairing = Endpoint<Nothing, PairingStarted>("GET", "/v1/pairings/{id}", access: .open)

    /// Finish a pairing with its code
    ///
    /// The response of the page also sets the cookie of POST /v1/session.
    ///
    /// - id: The identifier of the pairing.
    /// - 201: The device is paired. The token is sent once.
    /// - 403: Wrong code: a device has three tries.
    /// - 404: The pairing expired, or a person declined it.
    /// - 422: The name is empty or too long.
    /// - 429: 30 wrong codes were entered in an hour.
    static let finishPairing = Endpoint<PairingCode, PairingToken>(
        "POST", "/v1/pairings/{id}", access: .open, status: 201)

    /// Get a new token with the cookie of a paired browser
    ///
    /// For a browser that has lost its token; without a body. The request needs the cookie that the pairing set, and an
    /// Origin that is the board's own. The token before becomes invalid, and the response sets another cookie. Only the
    /// page has cookies: on this socket the response is always 401.
    ///
    /// - 201: The new token, which is sent once.
    /// - 401: The cookie is missing, was used before, or belongs to no device; or the Origin is missing.
    /// - 429: 30 requests with a wrong cookie were sent in an hour.
    static let session = Endpoint<Nothing, PairingToken>("POST", "/v1/session", access: .open, status: 201)

    /// The paired devices
    ///
    /// - 200: The devices.
    static let devices = Endpoint<Nothing, [PairedDevice]>("GET", "/v1/devices", access: .device)

    /// Remove a paired device
    ///
    /// Its token and its cookie are invalid from then on. Only an owner removes another owner.
    ///
    /// - name: The name of the device.
    /// - 204: The device was removed.
    /// - 404: No device has the name; the candidate is similar.
    static let removeDevice = Endpoint<Nothing, Nothing>("DELETE", "/v1/devices/{name}", access: .device)

    /// Make a device an owner, or no owner
    ///
    /// Owners set up the board.
    ///
    /// - name: The name of the device.
    /// - 200: The devices.
    /// - 404: No device has the name; the candidate is similar.
    static let changeDevice = Endpoint<DeviceChange, [PairedDevice]>("PATCH", "/v1/devices/{name}", access: .owner)

    // MARK: - setup: Set up the board by phone

    /// What is set up, and what is still to do
    ///
    /// A phone sets up the board's own layer, below the administrator's files: a table in /etc/boardd/boardd.toml holds
    /// in place of the same table here.
    ///
    /// - 200: The steps, the tables and the keys.
    static let setup = Endpoint<Nothing, SetupState>("GET", "/v1/setup", access: .owner)

    /// Open the window for set-up
    ///
    /// A phone that is paired in it becomes an owner. It is open on a board without favourites, for 30 minutes after
    /// this request, and after a person held the button for five seconds.
    ///
    /// Not where [page] of boardd.toml has setup = false or change = "nobody".
    ///
    /// - 204: The window is open, and the display shows the address of the page.
    static let openSetup = Endpoint<Nothing, Nothing>("POST", "/v1/setup", access: .local)

    /// Close the window for set-up
    ///
    /// - 204: The window is closed, unless the board has no favourites.
    static let closeSetup = Endpoint<Nothing, Nothing>("DELETE", "/v1/setup", access: .owner)

    /// Wait for a press of the button
    ///
    /// At every line of the header that may have one, for 8 seconds; meanwhile no press reaches the board.
    ///
    /// - 200: The line, or none.
    /// - 409: Another device waits since.
    /// - 503: Presses cannot be read.
    static let pressedButton = Endpoint<Nothing, PressedButton>("POST", "/v1/setup/button", access: .owner)

    /// The feeds that have departures at a place
    ///
    /// From the list of cities; sends no request to an operator.
    ///
    /// - query: A town, an operator, or latitude and longitude.
    /// - 200: The feeds, the best first.
    static let places = Endpoint<Nothing, [PlaceProposal]>("GET", "/v1/places", access: .owner, parameters: ["query"])

    /// Replace a table of the settings
    ///
    /// The tables and keys of boardd.toml that lead nowhere: no addresses, no files, nothing about who may use the
    /// page. A feed of the list of cities is `feed.gtfs.NAME` with its number as `city`.
    ///
    /// - table: The table: display, quiet, feed.motis, feed.gtfs.lyon.
    /// - 200: The new state; the board uses it.
    /// - 404: No phone may set the table.
    /// - 409: /etc/boardd/boardd.toml has the table; or a favourite needs the feed.
    static let setTable = Endpoint<SettingsTables, SetupState>("PUT", "/v1/settings/{table}", access: .owner)

    /// Remove a table of the settings
    ///
    /// Its defaults hold then.
    ///
    /// - table: The table.
    /// - 200: The new state; the board uses it.
    /// - 404: No phone may set the table.
    /// - 409: /etc/boardd/boardd.toml has the table; or a favourite needs the feed.
    static let removeTable = Endpoint<Nothing, SetupState>("DELETE", "/v1/settings/{table}", access: .owner)

    /// Set a key of an operator
    ///
    /// It is never sent back. It is tried at the operator first: where that rejects it, the key before stays.
    ///
    /// - name: The name of the key, such as RAIL_TOKEN.
    /// - 200: The new state; the board uses it.
    /// - 404: No feed has a key of this name.
    /// - 409: /etc/boardd/keys.env has the key.
    static let setKey = Endpoint<KeyValue, SetupState>("PUT", "/v1/keys/{name}", access: .present)

    /// Remove a key of an operator
    ///
    /// - name: The name of the key.
    /// - 200: The new state; the board uses it.
    /// - 404: No feed has a key of this name.
    /// - 409: /etc/boardd/keys.env has the key.
    static let removeKey = Endpoint<Nothing, SetupState>("DELETE", "/v1/keys/{name}", access: .present)

    /// The board's own settings and its favourites, to be kept
    ///
    /// Without keys.
    ///
    /// - 200: The backup.
    static let backup = Endpoint<Nothing, Backup>("GET", "/v1/backup", access: .owner)

    /// Restore the board's own settings and its favourites
    ///
    /// Replaces them, with the checks of any other change. Keys stay as they are. The body of an owner may have 400 kB.
    ///
    /// - 200: The new state; the board uses it.
    static let restore = Endpoint<Backup, SetupState>(
        "PUT", "/v1/backup", access: .owner, maximumBody: Backup.maximumLength)

    // MARK: - fleet: Several boards on an MQTT broker

    /// The fleet as this board sees it
    ///
    /// The boards, which of them received the last response to each query, the shared list, and what a person should
    /// change. 404 where the board has no fleet.
    ///
    /// - 200: The fleet.
    static let fleet = Endpoint<Nothing, FleetReport>("GET", "/v1/fleet", access: .local)

    /// Share the favourites of this board
    ///
    /// Joins the list of [fleet], where it and the board have different favourites. 409 where the board has joined
    /// already, or no list was received yet.
    ///
    /// - 200: The fleet.
    static let joinList = Endpoint<FleetJoinRequest, FleetReport>("POST", "/v1/fleet/list", access: .local)

    /// Remove what the broker stores about a board
    ///
    /// Also at Home Assistant. A board that is online sends everything again. 403 where the broker does not permit it
    /// to this board.
    ///
    /// - name: The name of the board.
    /// - 204: Removed.
    static let forgetBoard = Endpoint<Nothing, Nothing>("DELETE", "/v1/fleet/boards/{name}", access: .local)
}
