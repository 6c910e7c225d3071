import BoardCore

/// What a person must see at a glance: a board in a situation, a question about it, and the answer.
struct GlanceSituation: Sendable {
    let question: String
    let key: String
    /// What is on the panel: patterns, each of one row. The two rows of a departure in twice the size count as one.
    let shows: [String]
    /// The panel of its pictures, where it has only one.
    var panel: GlancePanel
    /// The key and the patterns on 16x2, where they differ.
    var onSmall: (key: String?, shows: [String])?
    let board: @Sendable (GlancePanel) throws -> GalleryState

    init(
        _ question: String, key: String, shows: [String], onSmall: (key: String?, shows: [String])? = nil,
        _ scene: @escaping @Sendable (inout GlanceScene) -> Void
    ) {
        self.init(question, key: key, shows: shows, onSmall: onSmall) { panel in
            var board = GlanceScene(panel: panel)
            scene(&board)
            return board.state
        }
    }

    init(
        _ question: String, key: String, shows: [String], onSmall: (key: String?, shows: [String])? = nil,
        on panel: GlancePanel = .large, state: @escaping @Sendable (GlancePanel) throws -> GalleryState
    ) {
        self.question = question
        self.key = key
        self.shows = shows
        self.onSmall = onSmall
        self.panel = panel
        board = state
    }

    func patterns(on panel: GlancePanel) -> [String] { panel == .small ? onSmall?.shows ?? shows : shows }
    func key(on panel: GlancePanel) -> String { panel == .small ? onSmall?.key ?? key : key }

    static let all = trains + walks + overviews + marks

    private static let trains = [
        GlanceSituation(
            "The train to Oxford: in how many minutes does it leave, and from which platform?",
            key: "3 minutes, platform 3", shows: ["^12:07 Oxford +3m", "^12:07 .*pl.* 3 "]
        ) {
            $0.station(
                "Paddington",
                [
                    Trip("12:07", to: "Oxford", in: 3.9, platform: "3"),
                    Trip("12:09", to: "Bristol Temple Meads", in: 7.98, platform: "4"),
                ])
        },
        GlanceSituation(
            "In how many minutes does the train to Portsmouth leave?", key: "1 minute", shows: ["^23:50.* Ports.* 1m"],
            londonBridge),
        GlanceSituation(
            "Is the train to Brighton on time? If not, how late?", key: "no: 6 minutes late",
            shows: ["^23:47.*(\\+6|exp(ected)? 23:53)"], londonBridge),
    ]

    private static let londonBridge: @Sendable (inout GlanceScene) -> Void = {
        $0.start = GlanceScene.noon + .seconds(11 * 3_600 + 52 * 60 + 5)
        $0.station(
            "London Bridge",
            [
                Trip("23:47", to: "Brighton", in: 1.3, platform: "13"),
                Trip("23:50", to: "Portsmouth Harbour", in: 1.4, platform: "9"),
                Trip("23:56", to: "London Victoria", in: 3.9, platform: "4"),
            ])
    }

    private static let walks = [
        GlanceSituation(
            "You want the 390. In how many minutes must you leave your home?", key: "in 4 minutes",
            shows: ["^390 .*4m"]
        ) {
            oxfordStreet(&$0, $0.rows == 2 ? 1 : 0)
        },
        GlanceSituation(
            "You want the 73. Should you leave now, or do you have more time?",
            key: "leave in 1 minute, so practically now", shows: ["^73 .*(in|go|⇨) *1m"]
        ) { oxfordStreet(&$0) },
        GlanceSituation(
            "The 8: what should you do?", key: "leave now, to catch it", shows: ["^8 .*(GO NOW|GO!)"]
        ) { oxfordStreet(&$0) },
        GlanceSituation(
            "It is 6 minutes' walk to the station. The train to Moorgate: what should you do now?", key: "leave now",
            shows: ["^12:10 .*Moorg.*(GO NOW|GO!)"]
        ) {
            $0.stop("Oxford St", letter: "N", walk: 6, [Trip("73", to: "Oxford Circus", in: 8.9)])
            $0.station("the station", walk: 6, [Trip("12:10", to: "Moorgate", in: 6.9)])
            if $0.rows > 2 { $0.stop("Euston", walk: 6, [Trip("18", to: "Sudbury", in: 15.9)]) }
        },
    ]

    private static func oxfordStreet(_ scene: inout GlanceScene, _ first: Int = 0) {
        let trips = [
            Trip("8", to: "Café Zürich", in: 6.9), Trip("73", to: "Oxford Circus", in: 7.9),
            Trip("390", to: "Archway", in: 10.9),
        ]
        scene.stop("Oxford St", letter: "N", walk: 6, Array(trips[first...]))
    }

    private static let overviews = [
        GlanceSituation(
            "The last row: which line is it, and in how many minutes does it leave?", key: "line 29, 3 minutes",
            shows: ["^29 .* 3m"], onSmall: ("line 18, 2 minutes", ["^18 .* 2m"])
        ) {
            $0.stop("Oxford St", letter: "N", [Trip("73", to: "Oxford Circus", in: 0.4)])
            $0.stop("Euston", [Trip("18", to: "Sudbury", in: 2.9)])
            $0.stop("Camden Road", [Trip("29", to: "Finsbury Park", in: 3.9)])
        },
        GlanceSituation(
            "The row of Moorgate: when must you leave home for the next train?", key: "in 4 minutes",
            shows: ["^Moorgate .*(in|go|⇨) *4m", "later 12:38"],
            // The time after it is wider than the middle.
            onSmall: (nil, ["^Moorgate .*go 4m"])
        ) {
            $0.station(
                "Drayton Park", walk: 6, sort: .line,
                [Trip("12:14", to: "Moorgate", in: 10.9), Trip("12:38", to: "Moorgate", in: 34.2)])
        },
        GlanceSituation(
            "Where does the first departure go?", key: "Heathrow, Terminals 2 & 3",
            shows: ["^Picc.* Heathro", "2 & 3"],
            onSmall: ("Heathrow", ["^Picc Heathr", "& 3"])
        ) {
            $0.stop(
                "Green Park",
                [
                    Trip("Piccadilly", to: "Heathrow Terminals 2 & 3", in: 2.9),
                    Trip("N29", to: "Trafalgar Square", in: 3.9),
                    Trip("140", to: "Hayes & Harlington Station", in: 6.9),
                ])
        },
        GlanceSituation(
            "You go south, to Morden. When is your next train?", key: "in 9 minutes", shows: ["^Nthn.* Morden.* 9m"]
        ) {
            $0.stop(
                "Camden Town",
                [
                    Trip("Northern", to: "High Barnet via Bank", in: 2.9, direction: "northbound"),
                    Trip("Northern", to: "Edgware via Bank", in: 4.9, direction: "northbound"),
                    Trip("Northern", to: "High Barnet via Bank", in: 6.9, direction: "northbound"),
                    Trip("Northern", to: "Morden via Bank", in: 9.9, direction: "southbound"),
                ])
        },
        GlanceSituation(
            "Two stops are named Moorgate. Which row is the tube?", key: "the one to Morden",
            shows: ["^Nthn.* Morden", "^Nthn.*Tube"]
        ) {
            $0.stop(nil, name: "Moorgate Underground Station", [Trip("Northern", to: "Morden", in: 2.9)])
            $0.station("Moorgate", [Trip("12:12", to: "Hertford North", in: 8.9)])
        },
    ]

    private static let marks = [
        GlanceSituation(
            "The 8: in how many minutes does it leave? How sure is that?", key: "about 10 minutes; not sure",
            shows: ["^8 .*~ *10m"]
        ) {
            $0.stop(
                "Oxford St", letter: "N",
                [
                    Trip("8", to: "Café Zürich", in: 10.9, age: 300),
                    Trip("25", to: "City Thameslink", in: 12, .delayed),
                ])
        },
        GlanceSituation(
            "Can you take the 12:13? And what is unusual about the departure to Slough?",
            key: "no, it is cancelled; a bus replaces the train",
            shows: ["^12:13 .*✗", "^12:13 .*cancelled", "^12:17 Slough", "^12:17 .*bus"],
            // The word is wider than the middle.
            onSmall: (nil, ["^12:13 .*✗", "^12:17 Slough", "^12:17 .*bus"])
        ) { paddington(&$0) },
        GlanceSituation(
            "The train to Reading: in how many minutes, from which platform, and is the time certain?",
            key: "about 20 minutes, platform 12, not certain",
            shows: ["^12:25 Read.*(~ *20m|20m.*~)", "^12:25 .*pl.* 12 "],
            // The platform is wider than the middle.
            onSmall: (nil, ["^12:25 Read.*(~ *20m|20m.*~)"])
        ) {
            paddington(&$0, $0.rows == 2 ? 1 : 0)
        },
        GlanceSituation(
            "What is the matter with Euston?", key: "nothing leaves there before 17:12",
            shows: ["next 17:12"],
            onSmall: (nil, ["^next 17:12"])
        ) {
            let isSmall = $0.rows == 2
            $0.stop("Oxford St", letter: "N", [Trip("73", to: "Oxford Circus", in: 0.4)])
            $0.stop("Euston", next: 308, [])
            if !isSmall { $0.stop("Camden Road", [Trip("390", to: "Archway", in: 4.9)]) }
        },
        GlanceSituation(
            "(After a press of the button.) Which stop is this, and are there more pages?",
            key: "Oxford St N; this is page 2 of 2", shows: ["^Oxford St N +page 2/2"],
            // Two rows have no room for a position.
            onSmall: (nil, ["^25 .*late", "^98 .*✗"])
        ) {
            let trips = [
                Trip("73", to: "Oxford Circus", in: 0.4), Trip("390", to: "Archway", in: 4.9),
                Trip("8", to: "Café Zürich", in: 10.9), Trip("25", to: "City Thameslink", in: 12, .delayed),
                Trip("98", to: "Holborn, Red Lion Square", in: 13, .cancelled),
            ]
            $0.stop("Oxford St", letter: "N", $0.rows == 2 ? Array(trips[..<2] + trips[3...]) : trips)
            $0.then = {
                $0.press(for: .milliseconds(100))
                $0.after(.milliseconds(500))
            }
        },
        GlanceSituation(
            "What does the message say about the table?", key: "come to the table before the soup is cold",
            shows: ["Please come to", "table", "before the", "soup"]
        ) {
            oxfordStreet(&$0)
            $0.then = { $0.after(.zero, .message(GallerySample.london.message, .seconds(60))) }
        },
        GlanceSituation(
            "Today the 12:07 ends at Three Bridges. You want to go to Brighton: which train do you take?",
            key: "the 12:20", shows: ["^12:07 Three.* 3m", "^12:20 Brigh.* 16m"]
        ) {
            $0.station(
                "East Croydon",
                [
                    Trip(
                        "12:07", to: "Brighton", in: 3.9, platform: "1", trip: TripAttributes(endsAt: "Three Bridges")),
                    Trip("12:20", to: "Brighton", in: 16.9, platform: "2"),
                ])
        },
        GlanceSituation(
            "Are these times reliable? Why (not)?", key: "only about right: no reply from the operator since 12:04",
            shows: ["^73 .*~ *1m", "No reply since", "12:04"]
        ) {
            $0.start = GlanceScene.noon + .seconds(278)
            $0.stop(
                "Oxford St", letter: "N",
                [
                    Trip("73", to: "Oxford Circus", in: 5.9), Trip("390", to: "Archway", in: 7.9),
                    Trip("8", to: "Café Zürich", in: 13.9),
                ])
            let stop = $0.stops[0].favourite.stop
            $0.then = { board in
                for _ in 0..<4 { board.after(.seconds(63), .failed(stop, FeedError(.timedOut, detail: ""))) }
            }
        },
    ]

    private static func paddington(_ scene: inout GlanceScene, _ first: Int = 0) {
        let trips = [
            Trip("12:13", to: "Heathrow Terminal 5", in: 9, platform: "7", .cancelled),
            Trip("12:17", to: "Slough", in: 13.9, trip: TripAttributes(isReplacement: true)),
            Trip("12:25", to: "Reading", in: 20.9, platform: "12", .scheduled),
        ]
        scene.station("Paddington", Array(trips[first...]))
    }
}

/// A departure, some minutes after the picture.
struct Trip {
    let lead: String
    let destination: String
    let minutes: Double
    var platform: String?
    var direction: String?
    var kind = Departure.Status.Kind.expected
    var age = 40
    var attributes: TripAttributes?

    /// - Parameters:
    ///   - lead: the line, or the booked time of a train.
    ///   - age: of the operator's report, in seconds.
    init(
        _ lead: String, to destination: String, in minutes: Double, platform: String? = nil, direction: String? = nil,
        _ kind: Departure.Status.Kind = .expected, age: Int = 40, trip attributes: TripAttributes? = nil
    ) {
        self.lead = lead
        self.destination = destination
        self.minutes = minutes
        self.platform = platform
        self.direction = direction
        self.kind = kind
        self.age = age
        self.attributes = attributes
    }

    func departure(from stop: StopID, at start: Timestamp) -> Departure {
        let due = start + .milliseconds(Int(minutes * 60_000))
        let parts = lead.split(separator: ":").compactMap { Int($0) }
        let midnight = GlanceScene.noon - .seconds(12 * 3_600)
        let booked = parts.count == 2 ? midnight + .seconds(parts[0] * 3_600 + parts[1] * 60) : nil
        let status: Departure.Status =
            switch kind {
            case .expected: .expected(due)
            case .scheduled: .scheduled(due)
            case .delayed: .delayed
            case .cancelled: .cancelled
            }
        return Departure(
            stop: stop, line: Line(id: booked == nil ? lead.lowercased() : "train", name: lead),
            destination: destination, platform: platform,
            direction: direction, booked: booked ?? (status.time == nil ? due : nil), status: status,
            attributes: attributes, madeAt: start - .seconds(age), expiresAt: due + .seconds(30))
    }
}
