import BoardCore
import Testing

// Other questions, each on one panel: pages of the gallery in four languages, and boards of their own.
extension GlanceSituation {
    static let others = german + french + spanish + english

    private static let german = [
        GlanceSituation(
            "The train to Frankfurt (Oder): how many minutes late is it, and from which platform does it leave?",
            key: "3 minutes, platform 4", shows: ["^12:09.*\\+3", "^12:09.*Gl(eis)? 4 "], .large, .berlin,
            "trains and a bus"),
        GlanceSituation(
            "You want the U7. What should you do?", key: "leave home now", shows: ["^U7 .*LOS!"], .small, .berlin,
            "six minutes' walk", wait: 6),
        GlanceSituation(
            "The train to Stralsund: can you take it?", key: "no, it is cancelled",
            shows: ["^12:13.*✗", "^12:13.*fällt aus"], .oled, .berlin, "trains and a bus, second screen",
            wait: 7),
        GlanceSituation(
            "In how many minutes must you leave home for this train?", key: "1 minute", shows: ["Losgehen in 1 Min"],
            .large,
            .berlin, "detail page of a train, in time", wait: 12),
    ]

    private static let french = [
        GlanceSituation(
            "The 85: where does it go, in how many minutes, and is that certain?",
            key: "Mairie de Saint-Ouen, about 9 minutes, not certain", shows: ["^85 .*~ ?9'", "^85 Mairie", "Ouen"],
            .large, .paris, "departures"),
        GlanceSituation(
            "From which platform does the train to Melun leave, and in how many minutes?", key: "platform 3, 2 minutes",
            shows: ["^12:07 Melun +2'", "^12:07 .*voie 3"], .small, .paris, "trains and a bus"),
        GlanceSituation(
            "From which stop does the 56 leave?", key: "Nation", shows: ["^56 .*Nation"], .oled, .paris, "overview"),
        GlanceSituation(
            "Are these times up to date?", key: "no: the operator does not respond", shows: ["Sans réponse 12:04"],
            .large,
            .paris, "no response, beside departures"),
    ]

    private static let spanish = [
        GlanceSituation(
            "What should you do for the 146?", key: "leave home now", shows: ["^146 .*SALGA"], .large, .madrid,
            "six minutes' walk", wait: 6),
        GlanceSituation(
            "Which line leaves first, where does it go, and when?", key: "the 27 to Plaza de Castilla, now",
            shows: ["^27 .*ya", "Castilla"], .oled, .madrid, "departures"),
        GlanceSituation(
            "What is the number for, and what does a press of the button do?",
            key: "to pair a phone; a press declines", shows: ["418 207", "[Pp]uls|[Rr]echaz", "móvil|teléfono"], .small,
            .madrid, "pairing", wait: 0),
        GlanceSituation(
            "What runs instead of trains?", key: "buses",
            shows: ["Autobuses", "lugar de trenes"], .large, .madrid, "alerts of trains, 0 seconds later", wait: 0),
    ]

    private static let english = [
        GlanceSituation(
            "At what time does this train leave, from which platform, and with how many coaches?",
            key: "12:07, platform 3, 8 coaches", shows: ["12:07", "3, 8 coaches"], .large, .london,
            "detail page of a train and its run, screen 1", wait: 12),
        GlanceSituation(
            "You are at home, 6 minutes' walk from the stop. Can you still catch the 8, and how? And when must you leave for the 73, and is that certain?",
            key: "only if you run; in about 3 minutes, not certain", shows: ["^8 .*RUN", "^73 .*~ ?3m"], .small
        ) {
            $0.stop(
                "Oxford St", letter: "N", walk: 6,
                [Trip("8", to: "Café Zürich", in: 5.4), Trip("73", to: "Oxford Circus", in: 9.9, .scheduled)])
        },
        GlanceSituation("When does the last bus on the panel leave?", key: "at 13:10", shows: ["^N73 .*13:1"], .oled) {
            $0.stop(
                "Oxford St", letter: "N",
                [
                    Trip("73", to: "Oxford Circus", in: 3.9),
                    Trip("N73", to: "Walthamstow Central", in: 66.1, .scheduled),
                ])
        },
        GlanceSituation(
            "What must you do so that you can take the 7?", key: "phone ahead", shows: ["^7 .*phone ahead"], .large
        ) {
            let call = TripAttributes.Arrangement(by: .phone, message: nil, phone: "01 234 567")
            $0.stop(
                "Market Place",
                [
                    Trip("7", to: "Upper Valley", in: 25.9, .scheduled, trip: TripAttributes(arrangement: call)),
                    Trip("12", to: "Station", in: 31.9),
                ])
        },
        GlanceSituation(
            "When does the next bus leave?", key: "at 17:12; none before it", shows: ["17:12"], .large, .london,
            "last one gone"),
        GlanceSituation(
            "How far away is the stop?", key: "about 120 metres", shows: ["120 m"], .large, .london, "near stop"),
        GlanceSituation(
            "When does the 25 leave?", key: "it is late, and nobody knows", shows: ["^25 .*late"], .led, .london,
            "second screen", wait: 7),
        GlanceSituation(
            "The 73: in how many minutes does the next one leave, and at what time the one after it?",
            key: "in 6 minutes, then at 12:17", shows: ["^73 .*6m", "^73 .*later 12:17"], .large, .london,
            "sorted by line",
            wait: 6),
    ]

    /// A page of the gallery.
    ///
    /// - Parameter wait: from the state of the gallery to the first picture, in seconds.
    private init(
        _ question: String, key: String, shows: [String], _ panel: GlancePanel, _ sample: GallerySample, _ name: String,
        wait: Int = 15
    ) {
        self.init(question, key: key, shows: shows, on: panel) { panel in
            try #require(panel.gallery(in: sample).first { $0.name.hasSuffix(" " + name) }).later(wait)
        }
    }

    private init(
        _ question: String, key: String, shows: [String], _ panel: GlancePanel,
        _ scene: @escaping @Sendable (inout GlanceScene) -> Void
    ) {
        self.init(question, key: key, shows: shows, scene)
        self.panel = panel
    }
}
